#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <vector>

#include "core/data_words.hpp"
#include "core/error.hpp"
#include "core/figures.hpp"
#include "core/units.hpp"
#include "device/peer_link.hpp"
#include "experiments/bandwidth/parts/dram_bandwidth.hpp"
#include "experiments/chases/parts/latency.hpp"
#include "experiments/common/fill.hpp"
#include "experiments/common/product.hpp"
#include "experiments/common/sweep.hpp"
#include "experiments/experiment.hpp"

namespace percycle::transfer_bandwidth_experiment {
namespace {

constexpr std::uint64_t kSmallest = 64 * kKiB;
constexpr std::uint64_t kPage = 4 * kKiB;
// Samples are short: for each, the host also stages and checks all bytes, untimed, which takes up
// to 50 times as long as the copy.
constexpr double kSampleNs = 0.5e6;
constexpr std::uint64_t kMostTransfers = 1 << 16;

// Kernels that read or write the host's memory, beyond the caches of any device.
constexpr std::uint64_t kMappedBytes = 256 * kMiB;
constexpr std::uint32_t kMappedWidth = 16;
constexpr std::uint32_t kMappedGroup = 256;
constexpr std::uint32_t kMappedUnroll = 4;

constexpr const char* kTest = "test";
constexpr const char* kLatency = "latency";
constexpr const char* kBoth = "both";
constexpr const char* kMapped = "mapped";
constexpr const char* kToPeer = "to-peer";
constexpr const char* kPeer = "peer";

const WordsParameter kTests{
    kTest, {"bandwidth", kLatency}, "bandwidth: by size; latency: copies of 4 B to 16 KiB, from the host's call to its return"};
const WordsParameter kDirections{
    "direction",
    {"to-device", "to-host", kBoth, kToPeer},
    "to-device,to-host,both",
    "direction of the copy; both: at the same time, page-locked memory only; to-peer: to each other device of the same OpenCL "
    "platform"};
const WordsParameter kMemories{
    "memory",
    {"pinned", "pageable", kMapped},
    "host memory: page-locked by the driver, or ordinary; mapped: page-locked, read or written by a kernel"};
const BytesParameter kMaxFootprint{"max_footprint", "largest copy; auto: 64 MiB (quick: 16 MiB, full: 256 MiB)"};

/// Changes one byte of each page, so that a copy that skips a page fails the check.
void change_pages(std::vector<std::byte>& bytes) {
  for (std::size_t at = 0; at < bytes.size(); at += kPage) bytes[at] ^= std::byte{0xff};
}

std::vector<std::byte> words_of(const DataWords& words, std::uint64_t bytes) {
  std::vector<std::byte> data(bytes);
  for (std::uint64_t i = 0; i < bytes / sizeof(std::uint32_t); ++i) {
    const std::uint32_t each = words.word(i);
    std::memcpy(data.data() + i * sizeof each, &each, sizeof each);
  }
  return data;
}

/// The first byte that differs; the size if none differs.
std::size_t first_difference(const std::vector<std::byte>& a, const std::vector<std::byte>& b) {
  if (std::memcmp(a.data(), b.data(), a.size()) == 0) return a.size();
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin()).first - a.begin());
}

/// On a device that shares the host's memory there is no link.
constexpr const char* kCopyInMemory = "copy in memory";

/// Copies between host and device, or between two devices. The host's clock times ordinary memory,
/// because the host copies part of the way, and copies between devices. The device's timer, if any,
/// times page-locked memory.
class TransferBandwidth final : public Experiment {
 public:
  std::string name() const override { return "transfer-bandwidth"; }
  Presentation presentation() const override {
    return {
        .title = "Transfers between host and device",
        .question =
            "How many bytes per second do copies between host and device move, by size, and how long does a small copy take?",
        .method =
            "Buffers are copied to the device, to the host or both ways at once, from page-locked or ordinary memory. "
            "A kernel reads or writes memory of the host directly (mapped). "
            "The time comes from the device if it has a timer, else from the host; small copies are timed by the host. "
            "To a peer: this device writes a buffer, and clEnqueueCopyBuffer in the peer's queue copies it there, timed by "
            "the host.",
        .metric = "copy bandwidth: GB/s, both ways added up; test latency: ns per copy",
        .operation = "copy",
        .order = 250,
        .sizes = {"footprint"},
        .loads_device = false,
        .curves = {{.name = "transfer-bandwidth",
                    .title = "Bandwidth of copies by their size",
                    .x = "footprint",
                    .x_title = "size of a transfer",
                    .x_scale = AxisScale::bytes,
                    .y = {figures::kGbPerS},
                    .split = {"direction", kPeer}}},
        .bars = {{.y = {figures::kNsPerOp}}},
        .words = {{"direction", "to-device", "to the device"},
                  {"direction", "to-host", "to the host"},
                  {"direction", kBoth, "both ways at once"},
                  {"direction", kToPeer, "to another card"}},
        .summary = {{.line = "transfers",
                     .only = {{"direction", "to-device"}, {"memory", "pinned"}},
                     .without = kTest,
                     .figure = figures::kGbPerS,
                     .key = "to device",
                     .words = "bandwidth of transfers to the device"},
                    {.line = "transfers",
                     .only = {{"direction", "to-host"}, {"memory", "pinned"}},
                     .without = kTest,
                     .figure = figures::kGbPerS,
                     .key = "to host",
                     .words = "bandwidth of transfers to the host"}},
        .ceilings = {
            {.level = "host link", .level_in_one_memory = kCopyInMemory, .only = {{"direction", "to-device"}}, .without = kTest},
            {.level = "host link", .level_in_one_memory = kCopyInMemory, .only = {{"direction", "to-host"}}, .without = kTest},
            {.level = "host link", .level_in_one_memory = kCopyInMemory, .only = {{"direction", kBoth}}, .without = kTest}}};
  }

  std::vector<ParameterSpec> parameters() const override { return {kTests, kDirections, kMemories, kMaxFootprint}; }

  std::vector<Point> plan(const DeviceInfo& device, const Options& options, std::span<const PointResult>) const override {
    const std::uint64_t largest = options[kMaxFootprint].value_or(by_preset(options.preset, 16 * kMiB, 64 * kMiB, 256 * kMiB));
    if (largest < kSmallest) throw options.refusal(kMaxFootprint, "transfer-bandwidth begins at " + format_bytes(kSmallest));
    std::vector<Point> points;
    for (const std::string& test : options[kTests]) {
      const Axis footprints{"footprint", [&](const Point& point) {
                              const std::string* memory = find_word(point.parameters, "memory");
                              return sizes(device, options.preset, test, memory != nullptr ? *memory : "pinned", largest);
                            }};
      const Point first{name(), test == kLatency ? Parameters{{kTest, test}} : Parameters{}};
      for (const Point& point : product(first, {{"direction", options[kDirections]}})) {
        const std::string& direction = word(point, "direction");
        if (direction == kToPeer) {
          append(points, product(point, {{kPeer, selectors(device)}, footprints}));
          continue;
        }
        auto memories = options[kMemories];
        std::erase_if(memories, [&](const std::string& memory) {
          return (direction == kBoth && (memory != "pinned" || test == kLatency)) || (memory == kMapped && test == kLatency);
        });
        append(points, product(point, {{"memory", memories}, footprints}));
      }
    }
    // It says why there are none.
    if (device.peers.empty() && options.has(kDirections, kToPeer))
      points.push_back({name(), {{"direction", kToPeer}, {"footprint", largest}}});
    if (points.empty() && options.text(kMemories) == kMapped && options.text(kTests) == kLatency)
      throw options.refusal(kMemories, "a kernel reads or writes it, so transfer-bandwidth has no latency of a copy");
    if (points.empty())
      throw UsageError("--set direction=both: transfer-bandwidth does it with --set memory=pinned, for bandwidth");
    return points;
  }

  std::optional<std::string> unsupported(const DeviceInfo& device, const Point& point) const override {
    if (!device.model.empty()) return "simulated devices do not model the time of copies";
    const bool to_peer = word(point, "direction") == kToPeer;
    if (to_peer && device.api == Api::vulkan) {
      return device.peers.empty() ? "the driver has no device group with this device and another one"
                                  : "percycle copies between the devices of a Vulkan device group through OpenCL only";
    }
    if (to_peer && device.peers.empty()) return "the host has no second device of this OpenCL platform";
    const auto bytes = number(point, "footprint");
    if (const std::uint64_t most = chase_capacity(device, "global"); bytes > most)
      return fmt::format("a buffer holds at most {}", format_bytes(most));
    if (to_peer || word(point, "memory") != kMapped) return std::nullopt;
    // NVIDIA's driver has it in the device's memory: 3.2 TB/s on an H100 (results/h100.md).
    if (device.api == Api::opencl && device.type == DeviceType::gpu)
      return "OpenCL does not say whether a mapped buffer is in the host's memory while a kernel runs";
    return memory_passes_unsupported(device, passes_of(point));
  }

  Trial prepare(Device& device, const Point& point, std::uint64_t seed) const override {
    if (word(point, "direction") == kToPeer) return to_peer_trial(device, point, seed);
    if (word(point, "memory") == kMapped) return memory_passes_trial(device, passes_of(point), seed);
    const auto bytes = number(point, "footprint");
    const std::string& direction = word(point, "direction");
    const bool is_latency = point.parameters.contains(kTest);
    const bool to_device = direction != "to-host";
    const auto buffer = device.create(BufferDesc{bytes});
    const auto host = std::make_shared<std::vector<std::byte>>(bytes);
    const DataWords words(seed);
    const auto data = std::make_shared<std::vector<std::byte>>(words_of(words, bytes));
    if (to_device) *host = *data;

    Trial trial;
    trial.setup = fill(device, buffer, to_device ? DataWords(seed + 1) : words);
    trial.timed.transfer = Transfer{
        buffer, to_device, word(point, "memory") == "pinned" ? HostMemory::pinned : HostMemory::pageable, host, is_latency};
    trial.timed.max_loops = kMostTransfers;
    trial.sample_ns = kSampleNs;
    trial.timed.verify = [buffer, host, data, to_device](Device& on, std::uint64_t copies) {
      if (copies == 0) return Outcome{};
      if (to_device) on.read(*buffer, 0, *data);
      const std::size_t wrong = first_difference(*host, *data);
      if (wrong != data->size()) return Outcome{Status::invalid, fmt::format("byte {} arrived wrong", wrong)};
      change_pages(*host);  // source of the next copies, or content that they must overwrite
      return Outcome{};
    };
    if (direction == kBoth) add_way_back(trial, device, bytes, DataWords(seed + 2));
    const std::uint64_t moved = direction == kBoth ? 2 * bytes : bytes;
    if (!is_latency) trial.work = Work{.bytes_per_op = moved, .group_bytes_per_op = moved};
    return trial;
  }

 private:
  static std::string selector(Api api, const PeerDevice& peer) { return fmt::format("{}:{}", to_string(api), peer.index); }

  static std::vector<std::string> selectors(const DeviceInfo& device) {
    std::vector<std::string> all;
    for (const PeerDevice& peer : device.peers) all.push_back(selector(device.api, peer));
    return all;
  }

  static const PeerDevice& peer_of(const DeviceInfo& device, const Point& point) {
    const std::string& wanted = word(point, kPeer);
    for (const PeerDevice& peer : device.peers) {
      if (selector(device.api, peer) == wanted) return peer;
    }
    throw std::invalid_argument(fmt::format("{} is no peer of this device", wanted));
  }

  static Trial to_peer_trial(Device& device, const Point& point, std::uint64_t seed) {
    const PeerDevice& peer = peer_of(device.info(), point);
    const auto bytes = number(point, "footprint");
    const bool is_latency = point.parameters.contains(kTest);
    const auto link = device.link(peer, bytes);
    const auto data = std::make_shared<std::vector<std::byte>>(words_of(DataWords(seed), bytes));
    link->write(*data);

    Trial trial;
    Transfer& transfer = trial.timed.transfer.emplace();
    // NVIDIA's driver moves the buffer before the times of the command begin.
    transfer.by_host = true;
    transfer.link = link;
    trial.timed.max_loops = kMostTransfers;
    trial.sample_ns = kSampleNs;
    trial.timed.verify = [link, data](Device&, std::uint64_t copies) {
      if (copies == 0) return Outcome{};
      std::vector<std::byte> arrived(data->size());
      link->read(arrived);
      const std::size_t wrong = first_difference(arrived, *data);
      if (wrong != data->size()) return Outcome{Status::invalid, fmt::format("byte {} arrived wrong", wrong)};
      change_pages(*data);
      link->write(*data);
      return Outcome{};
    };
    if (!is_latency) trial.work = Work{.bytes_per_op = bytes, .group_bytes_per_op = bytes};
    trial.observed[kPeer] = peer.name;
    return trial;
  }

  static std::vector<std::uint64_t> sizes(const DeviceInfo& device, Preset preset, const std::string& test,
                                          const std::string& memory, std::uint64_t largest) {
    if (test == kLatency)
      return preset == Preset::quick ? std::vector<std::uint64_t>{4} : std::vector<std::uint64_t>{4, kKiB, 16 * kKiB};
    if (memory == kMapped)
      return {device.type == DeviceType::gpu ? std::min(kMappedBytes, chase_capacity(device, "global")) : largest};
    const auto octaves = octave_grid(kSmallest, largest, 1, kPage);
    return preset == Preset::full ? octaves : every_second(octaves);
  }

  static MemoryPasses passes_of(const Point& point) {
    const auto bytes = number(point, "footprint");
    return {.op = word(point, "direction") == "to-host" ? "write" : "read",
            .width = kMappedWidth,
            .array_bytes = bytes - bytes % (std::uint64_t{kMappedWidth} * kMappedGroup * kMappedUnroll),
            .group_size = kMappedGroup,
            .unroll = kMappedUnroll,
            .in_host_memory = true};
  }

  /// A second buffer, whose content must arrive at the host with every copy.
  static void add_way_back(Trial& trial, Device& device, std::uint64_t bytes, const DataWords& words) {
    Transfer& transfer = *trial.timed.transfer;
    transfer.back = device.create(BufferDesc{bytes});
    transfer.host_back = std::make_shared<std::vector<std::byte>>(bytes);
    const auto expected = std::make_shared<std::vector<std::byte>>(words_of(words, bytes));
    std::ranges::move(fill(device, transfer.back, words), std::back_inserter(trial.setup));
    trial.timed.verify = [there = trial.timed.verify, back = transfer.host_back, expected](Device& on, std::uint64_t copies) {
      if (auto outcome = there(on, copies); outcome.status != Status::ok || copies == 0) return outcome;
      const std::size_t wrong = first_difference(*back, *expected);
      if (wrong != expected->size()) return Outcome{Status::invalid, fmt::format("byte {} came back wrong", wrong)};
      std::ranges::fill(*back, std::byte{0});  // content that the next copies must overwrite
      return Outcome{};
    };
  }
};

const RegisterExperiment registered(std::make_unique<TransferBandwidth>());

}  // namespace
}  // namespace percycle::transfer_bandwidth_experiment
