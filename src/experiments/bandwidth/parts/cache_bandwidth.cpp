#include "experiments/bandwidth/parts/cache_bandwidth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "core/data_words.hpp"
#include "core/units.hpp"
#include "device/values.hpp"
#include "expected/cache_bandwidth.hpp"
#include "experiments/bandwidth/parts/unit_bandwidth.hpp"
#include "experiments/chases/parts/latency.hpp"
#include "experiments/common/execution_mode.hpp"
#include "experiments/common/fill.hpp"
#include "experiments/common/invocation_words.hpp"
#include "experiments/common/offsets.hpp"
#include "platform/all_cores.hpp"

namespace percycle {
namespace {

constexpr std::uint32_t kWidth = 16;
constexpr std::uint64_t kPartBytes = kMiB;  // of a lap that one core reckons
// Parameters of kernel pair `cache_bandwidth`.
const std::vector<KernelParameter> kCacheLapsParameters{
    {"laps", ""},
    {"tiles", "tiles per lap"},
    {"tile_lanes", "lanes that share a tile; further lanes start at its first lane again"},
    {"group_stride", "distance of the slices of neighbouring groups, in vectors"}};

/// The shape of a group's lap. All lanes of the group share a tile, or fewer if the lap is too
/// short.
LapShape lap_shape(const DeviceInfo& device, const CacheLaps& config) {
  const std::uint64_t lanes =
      std::min<std::uint64_t>(config.group_size, config.lap_bytes() / (std::uint64_t{kWidth} * config.unroll));
  return {.lanes = row_lanes(device),
          .unroll = config.unroll,
          .tile_lanes = static_cast<std::uint32_t>(lanes),
          .tiles = lanes > 0 ? config.lap_bytes() / (lanes * kWidth * config.unroll) : 0};
}

std::uint64_t max_laps(const DeviceInfo& device, const LapShape& shape) {
  if (!device.max_loop_iterations) return UINT32_MAX;
  // lavapipe also counts the last check of each loop.
  return (*device.max_loop_iterations - 1) / (shape.tiles + 1);
}

/// The expected values of all invocations after some laps.
class Expected {
 public:
  Expected(const DeviceInfo& device, const CacheLaps& config, const WordSource& words)
      : config_(config), tile_lanes_(lap_shape(device, config).tile_lanes) {
    const LapShape shape = lap_shape(device, config);
    const std::uint32_t groups = config.slices ? config.groups : 1;
    const std::uint64_t parts = std::clamp<std::uint64_t>(config.lap_bytes() / kPartBytes, 1, shape.tiles);
    std::vector<std::optional<LapSums>> sums(groups * parts);
    on_all_cores(sums.size(), [&](std::size_t i) {
      const std::uint64_t group = i / parts;
      const std::uint64_t begin = i % parts * shape.tiles / parts;
      LapShape part = shape;
      part.tiles = (i % parts + 1) * shape.tiles / parts - begin;
      sums[i].emplace(part, words, group * (config.lap_bytes() / sizeof(std::uint32_t)) + begin * shape.tile_words());
    });
    for (std::size_t i = 0; i < sums.size(); ++i) {
      if (i % parts == 0)
        groups_.push_back(std::move(*sums[i]));
      else
        groups_.back().append(*sums[i]);
    }
  }

  std::vector<std::uint32_t> values(std::uint64_t laps) const {
    std::vector<std::uint32_t> all;
    all.reserve(std::size_t{config_.groups} * config_.group_size);
    std::vector<std::uint32_t> of_group;
    for (std::uint32_t group = 0; group < config_.groups; ++group) {
      if (group < groups_.size()) of_group = groups_[group].values(laps);
      for (std::uint32_t lane = 0; lane < config_.group_size; ++lane) all.push_back(of_group[lane % tile_lanes_]);
    }
    return all;
  }

 private:
  CacheLaps config_;
  std::uint32_t tile_lanes_;
  std::vector<LapSums> groups_;  ///< one per group, or one for all if they walk the same region
};

}  // namespace

std::optional<std::string> cache_laps_unsupported(const DeviceInfo& device, const CacheLaps& config) {
  if (!device.buffer_addresses) return "the device has no buffer addresses";
  if (auto reason = offsets_unsupported(device, config.footprint)) return reason;
  if (auto reason = group_unsupported(device, config.group_size, config.subgroup_size)) return reason;
  if (config.groups > device.max_groups) return fmt::format("a dispatch has at most {} work-groups", device.max_groups);
  if (const std::uint64_t most = chase_capacity(device, "global"); config.footprint > most)
    return fmt::format("a buffer holds at most {}", format_bytes(most));

  const LapShape shape = lap_shape(device, config);
  const bool rows_of_their_own = shape.tile_lanes == config.group_size;
  if (shape.tile_lanes == 0 || shape.tile_lanes % shape.lanes != 0 ||
      shape.tiles * shape.tile_words() * 4 != config.lap_bytes() ||
      config.lap_bytes() * (config.slices ? config.groups : 1) != config.footprint) {
    return fmt::format("{} is not a whole number of tiles of {} lanes", format_bytes(config.lap_bytes()), config.group_size);
  }
  if (!rows_of_their_own && config.lap_bytes() > kAlwaysInFirstLevel)
    return fmt::format("{} is less than one load of {} lanes", format_bytes(config.lap_bytes()), config.group_size);
  if (max_laps(device, shape) == 0) return "a lap takes more loop iterations than the device executes";
  return std::nullopt;
}

Trial cache_laps_trial(Device& device, const CacheLaps& config, std::uint64_t seed) {
  const DeviceInfo& info = device.info();
  const LapShape shape = lap_shape(info, config);
  const std::uint32_t invocations = config.groups * config.group_size;
  const DataWords words(seed);

  const auto kernel = device.create(KernelDesc{.name = "cache_bandwidth",
                                               .definitions = {{"ACCESS", config.coherent ? "ACCESS_COHERENT" : "ACCESS_PLAIN"},
                                                               {"LANES", std::to_string(shape.lanes)},
                                                               {"UNROLL", std::to_string(config.unroll)}},
                                               .local_size = config.group_size,
                                               .bindings = {{"data", BindingKind::address}, {"out"}, {"stamps"}},
                                               .parameters = kCacheLapsParameters,
                                               .subgroup_size = config.subgroup_size});
  const auto data = device.create(BufferDesc{config.footprint});
  const auto out = device.create(BufferDesc{invocations * sizeof(std::uint32_t)});
  const auto stamps = device.create(BufferDesc{config.groups * sizeof(GroupStamp)});

  Trial trial;
  trial.setup = fill(device, data, words);
  trial.timed.dispatch = {kernel,
                          {{data, nullptr}, {out, nullptr}, {stamps, nullptr}},
                          {{"laps", 0},
                           {"tiles", static_cast<std::uint32_t>(shape.tiles)},
                           {"tile_lanes", shape.tile_lanes},
                           {"group_stride", static_cast<std::uint32_t>(config.slices ? config.lap_bytes() / kWidth : 0)}},
                          config.groups};
  trial.timed.loops_parameter = "laps";
  trial.timed.ops_per_loop = shape.tiles * shape.unroll;
  trial.timed.turn = {{.path = MemoryPath::global, .kind = AccessKind::read, .width = kWidth, .count = config.unroll}};
  trial.timed.max_loops = max_laps(info, shape);
  // Computed at first use: a trial that only compiles its kernels does not need it.
  const auto expected = std::make_shared<std::optional<Expected>>();
  trial.timed.verify = [=](Device& on, std::uint64_t laps) {
    if (!*expected) {
      expected->emplace(on.info(), config, [words](std::uint64_t first, std::span<std::uint32_t> to) {
        for (std::size_t i = 0; i < to.size(); ++i) to[i] = words.word(first + i);
      });
    }
    const auto right = (*expected)->values(laps);
    const auto found = read_values<std::uint32_t>(on, *out, right.size());
    return check_invocations(
        found, [&](std::size_t i) { return right[i]; }, laps, "laps");
  };
  trial.group_stamps = GroupStamps{stamps, 0, config.groups};
  trial.repeatable = true;
  trial.work =
      Work{.bytes_per_op = std::uint64_t{invocations} * kWidth, .group_bytes_per_op = std::uint64_t{config.group_size} * kWidth};
  observe_execution(trial, device);
  return trial;
}

}  // namespace percycle
