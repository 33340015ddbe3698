#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "core/data_words.hpp"
#include "core/error.hpp"
#include "core/units.hpp"
#include "experiments/chases/parts/chase.hpp"
#include "experiments/common/fill.hpp"
#include "experiments/common/sweep.hpp"
#include "experiments/common/word_list.hpp"
#include "experiments/experiment.hpp"

namespace percycle {
namespace {

constexpr std::uint64_t kSmallest = 64 * kKiB;
constexpr std::uint64_t kPage = 4 * kKiB;
// Samples are short: for each, the host also stages and checks all bytes, untimed, which takes up
// to 50 times as long as the copy.
constexpr double kSampleNs = 0.5e6;
constexpr std::uint64_t kMostTransfers = 1 << 16;

/// Changes one byte of each page, so that a copy that skips a page fails the check.
void change_pages(std::vector<std::byte>& bytes) {
  for (std::size_t at = 0; at < bytes.size(); at += kPage) bytes[at] ^= std::byte{0xff};
}

/// The first byte that differs; the size if none differs.
std::size_t first_difference(const std::vector<std::byte>& a, const std::vector<std::byte>& b) {
  if (std::memcmp(a.data(), b.data(), a.size()) == 0) return a.size();
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin()).first - a.begin());
}

/// Copies between host and device. The host's clock times ordinary memory, because the host copies
/// part of the way. The device's timer, if any, times page-locked memory.
class TransferBandwidth final : public Experiment {
 public:
  std::string name() const override { return "transfer-bandwidth"; }
  Presentation presentation() const override {
    return {.title = "Transfers between host and device",
            .question = "How many bytes per second do copies between host and device move, by size?",
            .method =
                "Buffers are copied both ways between the device and page-locked or ordinary memory of the host. "
                "The time comes from the device if it has a timer, else from the host.",
            .metric = "copy bandwidth: GB/s",
            .operation = "copy",
            .order = 250,
            .sizes = {"footprint"},
            .curves = {{.name = "transfer-bandwidth",
                        .title = "Transfers between host and device by size",
                        .x = "footprint",
                        .x_title = "size of a transfer",
                        .x_along = Along::bytes,
                        .y = {"gb_per_s"},
                        .split = {"direction"}}},
            .summary = {{.line = "transfers", .name = "to device", .only = {{"direction", "to-device"}}, .figure = "gb_per_s"},
                        {.line = "transfers", .name = "to host", .only = {{"direction", "to-host"}}, .figure = "gb_per_s"}},
            .ceilings = {{.level = "host link"}}};
  }

  std::vector<ParameterSpec> parameters() const override {
    using Type = ParameterSpec::Type;
    return {
        {"direction", Type::words, {"to-device", "to-host"}, "to-device,to-host", "direction of the copy"},
        {"memory", Type::words, {"pinned", "pageable"}, "pinned,pageable", "host memory: page-locked by the driver, or ordinary"},
        {"max_footprint", Type::bytes, {}, "auto", "largest copy; auto: 64 MiB (quick: 16 MiB, full: 256 MiB)"},
    };
  }

  std::vector<Point> plan(const DeviceInfo&, const Options& options, std::span<const PointResult>) const override {
    const auto& wanted = options.value("max_footprint");
    const std::uint64_t largest = wanted != "auto"                     ? parse_bytes(wanted)
                                  : options.preset == Preset::quick    ? 16 * kMiB
                                  : options.preset == Preset::standard ? 64 * kMiB
                                                                       : 256 * kMiB;
    if (largest < kSmallest) {
      throw UsageError(fmt::format("--set max_footprint={}: transfer-bandwidth begins at {}", wanted, format_bytes(kSmallest)));
    }
    std::vector<Point> points;
    for (const auto& direction : word_list(options.value("direction"))) {
      for (const auto& memory : word_list(options.value("memory"))) {
        for (const std::uint64_t bytes : octave_grid(kSmallest, largest, 1, kPage)) {
          points.push_back(
              {name(), {{"direction", direction}, {"memory", memory}, {"footprint", static_cast<std::int64_t>(bytes)}}});
        }
      }
    }
    return points;
  }

  std::optional<std::string> unsupported(const DeviceInfo& device, const Point& point) const override {
    if (!device.model.empty()) return "simulated devices do not model the time of copies";
    const auto bytes = static_cast<std::uint64_t>(integer(point.parameters, "footprint"));
    if (const std::uint64_t most = chase_capacity(device, "global"); bytes > most)
      return fmt::format("a buffer holds at most {}", format_bytes(most));
    return std::nullopt;
  }

  Trial prepare(Device& device, const Point& point, std::uint64_t seed) const override {
    const auto bytes = static_cast<std::uint64_t>(integer(point.parameters, "footprint"));
    const bool to_device = word(point.parameters, "direction") == "to-device";
    const auto buffer = device.create(BufferDesc{bytes});
    const auto host = std::make_shared<std::vector<std::byte>>(bytes);
    const auto data = std::make_shared<std::vector<std::byte>>(bytes);
    const DataWords words(seed);
    for (std::uint64_t i = 0; i < bytes / sizeof(std::uint32_t); ++i) {
      const std::uint32_t each = words.word(i);
      std::memcpy(data->data() + i * sizeof each, &each, sizeof each);
    }
    if (to_device) *host = *data;

    Trial trial;
    trial.setup = fill(device, buffer, to_device ? DataWords(seed + 1) : words);
    trial.timed.transfer = Transfer{
        buffer, to_device, word(point.parameters, "memory") == "pinned" ? HostMemory::pinned : HostMemory::pageable, host};
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
    trial.work = Work{.bytes_per_op = bytes, .group_bytes_per_op = bytes};
    return trial;
  }
};

const RegisterExperiment registered(std::make_unique<TransferBandwidth>());

}  // namespace
}  // namespace percycle
