#include "experiments/bandwidth/parts/stores.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "core/data_words.hpp"
#include "core/units.hpp"
#include "device/values.hpp"
#include "expected/stores.hpp"
#include "experiments/bandwidth/parts/unit_bandwidth.hpp"
#include "experiments/common/execution_mode.hpp"
#include "experiments/common/fill.hpp"
#include "experiments/common/invocation_words.hpp"
#include "experiments/common/max_loops.hpp"
#include "experiments/common/offsets.hpp"

namespace percycle {
namespace {

constexpr std::uint64_t kStoredWordBytes = sizeof(std::uint32_t);
// Parameters of kernel pair `stores`.
const std::vector<KernelParameter> kStoresParameters{
    {"laps", ""},
    {"tiles", "tiles per lap"},
    {"tile_lanes", "lanes that share a tile; further lanes start at its first lane again"},
    {"target_stride", "elements from the region of one group to that of the next"},
    {"source_stride", "the same for the loads of a copy"},
    {"salt", "of the written words"}};

StoreShape shape_of(const DeviceInfo& device, const Stores& config) {
  const std::uint64_t tile_bytes = std::uint64_t{config.tile_lanes} * config.unroll * config.width;
  return {.channels = static_cast<std::uint32_t>(config.width / kStoredWordBytes),
          .lanes = row_lanes(device),
          .unroll = config.unroll,
          .tile_lanes = config.tile_lanes,
          .tiles = tile_bytes > 0 ? config.region_bytes / tile_bytes : 0};
}

std::uint64_t elements_of(const Stores& config) { return config.region_bytes / config.width; }

/// Bytes of local memory of a work-group.
std::uint64_t local_bytes(const Stores& config) { return config.region_bytes * (config.copies ? 2 : 1); }

/// Iterations of the loops that fill local memory and empty it.
std::uint64_t other_loops(const Stores& config) {
  return config.local ? 2 * (local_bytes(config) / config.width / config.group_size + 1) : 0;
}

std::uint64_t most_laps(const DeviceInfo& device, const Stores& config, const StoreShape& shape) {
  return shape.tiles > 0 ? max_loops(device, other_loops(config)) / shape.tiles : 0;
}

KernelDesc kernel_of(const DeviceInfo& device, const Stores& config) {
  KernelDesc desc{.name = "stores",
                  .definitions = {{"PATH", config.local ? "PATH_LOCAL" : "PATH_GLOBAL"},
                                  {"OPERATION", config.copies ? "OPERATION_COPY" : "OPERATION_WRITE"},
                                  {"ACCESS", config.copies && config.slices ? "ACCESS_COHERENT" : "ACCESS_PLAIN"},
                                  {"WIDTH", std::to_string(config.width)},
                                  {"LANES", std::to_string(row_lanes(device))},
                                  {"UNROLL", std::to_string(config.unroll)}},
                  .local_size = config.group_size,
                  .bindings = {{"source", BindingKind::address}, {"target", BindingKind::address}, {"out"}, {"stamps"}},
                  .parameters = kStoresParameters,
                  .subgroup_size = config.subgroup_size};
  if (config.local) desc.definitions["ELEMENTS"] = std::to_string(elements_of(config));
  return desc;
}

/// Compares what each lane and a part of the target hold after a run with the host's. The part,
/// another one each time, held zeros before the run, so that a skipped store shows.
class StoresCheck {
 public:
  StoresCheck(Device& device, const Stores& config, const StoreShape& shape, const DataWords& words,
              std::shared_ptr<Buffer> target, std::shared_ptr<Buffer> out)
      : config_(config), shape_(shape), words_(words), target_(std::move(target)), out_(std::move(out)) {
    clear_part(device);
  }

  Outcome operator()(Device& device, std::uint64_t laps) {
    const auto lanes = read_values<std::uint32_t>(device, *out_, std::size_t{config_.groups} * config_.group_size);
    const auto counted = [&](std::uint32_t i) {
      return shape_.written(words_.salt(), i / config_.group_size, i % config_.group_size % config_.tile_lanes, 0,
                            laps * shape_.tiles);
    };
    Outcome outcome = check_invocations(lanes, counted, laps, "laps");
    if (outcome.status != Status::ok || laps == 0) return outcome;
    const std::uint64_t first = part_ * kPartWords;
    const auto found = read_values<std::uint32_t>(device, *target_, part_words(), first * kStoredWordBytes);
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (const std::uint32_t right = word(first + i, laps); found[i] != right)
        return {Status::invalid,
                fmt::format("word {} holds {:#x} instead of {:#x} after {} laps", first + i, found[i], right, laps)};
    }
    part_ = lowbias32(++run_) % parts();
    clear_part(device);
    return {};
  }

 private:
  static constexpr std::uint64_t kPartWords = std::uint64_t{64} << 10u;  // closed forms of 1 ms

  std::uint64_t all_words() const { return target_->bytes() / kStoredWordBytes; }
  std::uint64_t parts() const { return (all_words() + kPartWords - 1) / kPartWords; }
  std::uint64_t part_words() const { return std::min(kPartWords, all_words() - part_ * kPartWords); }

  void clear_part(Device& device) {
    write_values(device, *target_, std::vector<std::uint32_t>(part_words()), part_ * kPartWords * kStoredWordBytes);
  }

  std::uint32_t word(std::uint64_t i, std::uint64_t laps) const {
    const std::uint64_t region_words = config_.region_bytes / kStoredWordBytes;
    if (config_.copies) return words_.word(config_.slices ? i : i % region_words);
    const auto group = static_cast<std::uint32_t>(i / region_words);
    const std::uint64_t in_region = i % region_words;
    return shape_.left(words_.salt(), group, in_region / shape_.channels, static_cast<std::uint32_t>(in_region % shape_.channels),
                       laps);
  }

  Stores config_;
  StoreShape shape_;
  DataWords words_;
  std::shared_ptr<Buffer> target_;
  std::shared_ptr<Buffer> out_;
  std::uint32_t run_ = 0;
  std::uint64_t part_ = 0;
};

std::vector<TurnAccess> accesses_of(const Stores& config) {
  const MemoryPath path = config.local ? MemoryPath::local : MemoryPath::global;
  std::vector<TurnAccess> all;
  if (config.copies) all.push_back({.path = path, .kind = AccessKind::read, .width = config.width, .count = config.unroll});
  all.push_back({.path = path, .kind = AccessKind::write, .width = config.width, .count = config.unroll});
  return all;
}

}  // namespace

bool measures_reads(const Options& options) {
  const auto words = options.words_or(kOperations, {kReadOperation});
  return std::ranges::find(words, kReadOperation) != words.end();
}

std::vector<std::string> store_operations(const Options& options) {
  auto words = options.words_or(kOperations,
                                options.preset == Preset::quick ? std::vector<std::string>{kReadOperation} : kOperations.choices);
  std::erase(words, kReadOperation);
  return words;
}

bool is_store(const Point& point) { return point.parameters.contains(kOperation); }

std::optional<std::string> stores_unsupported(const DeviceInfo& device, const Stores& config) {
  if (!device.buffer_addresses) return "the device has no buffer addresses";
  if (auto reason = group_unsupported(device, config.group_size, config.subgroup_size)) return reason;
  if (config.groups > device.max_groups) return fmt::format("a dispatch has at most {} work-groups", device.max_groups);
  if (config.local && local_bytes(config) > device.local_memory_bytes) {
    return fmt::format("the region takes {} of local memory, a work-group has {}", format_bytes(local_bytes(config)),
                       format_bytes(device.local_memory_bytes));
  }
  const std::uint64_t bytes = config.region_bytes * config.groups;
  if (bytes > kMostStoredBytes)
    return fmt::format("percycle tests stores to at most {}, not {}", format_bytes(kMostStoredBytes), format_bytes(bytes));
  if (auto reason = offsets_unsupported(device, bytes)) return reason;
  const StoreShape shape = shape_of(device, config);
  if (shape.tiles == 0 || config.tile_lanes % shape.lanes != 0 || config.tile_lanes > config.group_size ||
      shape.elements() != elements_of(config))
    return fmt::format("{} is not a whole number of tiles of {} lanes", format_bytes(config.region_bytes), config.tile_lanes);
  if (most_laps(device, config, shape) == 0) return "a lap takes more loop iterations than the device executes";
  return std::nullopt;
}

Trial stores_trial(Device& device, const Stores& config, std::uint64_t seed) {
  const DeviceInfo& info = device.info();
  const StoreShape shape = shape_of(info, config);
  const std::uint32_t invocations = config.groups * config.group_size;
  const DataWords words(seed);
  const auto source = device.create(BufferDesc{config.region_bytes * (config.slices ? config.groups : 1)});
  const auto target = device.create(BufferDesc{config.region_bytes * config.groups});
  const auto out = device.create(BufferDesc{invocations * kStoredWordBytes});
  const auto stamps = device.create(BufferDesc{config.groups * sizeof(GroupStamp)});
  const auto elements = static_cast<std::uint32_t>(elements_of(config));

  Trial trial;
  trial.setup = fill(device, source, words);
  trial.timed.dispatch = {device.create(kernel_of(info, config)),
                          {{source, nullptr}, {target, nullptr}, {out, nullptr}, {stamps, nullptr}},
                          {{"laps", 0},
                           {"tiles", static_cast<std::uint32_t>(shape.tiles)},
                           {"tile_lanes", shape.tile_lanes},
                           {"target_stride", elements},
                           {"source_stride", config.slices ? elements : 0},
                           {"salt", words.salt()}},
                          config.groups};
  trial.timed.loops_parameter = "laps";
  trial.timed.ops_per_loop = shape.tiles * shape.unroll;
  trial.timed.turn = accesses_of(config);
  trial.timed.max_loops = most_laps(info, config, shape);
  const auto check = std::make_shared<StoresCheck>(device, config, shape, words, target, out);
  trial.timed.verify = [check](Device& on, std::uint64_t loops) { return (*check)(on, loops); };
  trial.group_stamps = GroupStamps{.buffer = stamps, .groups = config.groups, .posted = !config.local};
  trial.repeatable = true;
  const std::uint64_t bytes = std::uint64_t{config.width} * (config.copies ? 2 : 1);
  trial.work = Work{.bytes_per_op = invocations * bytes, .group_bytes_per_op = config.group_size * bytes};
  observe_execution(trial, device);
  return trial;
}

}  // namespace percycle
