#include "experiments/bandwidth/parts/cache_laps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "core/data_words.hpp"
#include "core/units.hpp"
#include "expected/lap_sums.hpp"
#include "experiments/bandwidth/parts/unit_bandwidth.hpp"
#include "experiments/chases/parts/chase.hpp"
#include "experiments/common/execution_mode.hpp"
#include "experiments/common/fill.hpp"
#include "experiments/common/offsets.hpp"

namespace percycle {
namespace {

constexpr std::uint32_t kWidth = 16;
// Of kernel pair `cache_bandwidth`.
const std::vector<KernelParameter> kParameters{
    {"laps", ""},
    {"tiles", "of a lap"},
    {"tile_lanes", "lanes that share a tile; those beyond begin at its first lane again"},
    {"group_stride", "vectors from one group's first to the next one's"}};

/// A group's lap. The first so many lanes share a tile: all of the group, unless its lap is shorter than that.
LapShape lap_shape(const DeviceInfo& device, const CacheLaps& what) {
  const std::uint64_t lanes = std::min<std::uint64_t>(what.group_size, what.lap_bytes() / (std::uint64_t{kWidth} * what.unroll));
  return {.lanes = row_lanes(device),
          .unroll = what.unroll,
          .tile_lanes = static_cast<std::uint32_t>(lanes),
          .tiles = lanes > 0 ? what.lap_bytes() / (lanes * kWidth * what.unroll) : 0};
}

std::uint64_t max_laps(const DeviceInfo& device, const LapShape& shape) {
  if (!device.max_loop_iterations) return UINT32_MAX;
  // lavapipe also counts the pass in which each loop ends.
  return (*device.max_loop_iterations - 1) / (shape.tiles + 1);
}

/// What each invocation holds after some laps, in the order of the invocations.
class Expected {
 public:
  Expected(const DeviceInfo& device, const CacheLaps& what, const WordSource& words)
      : what_(what), tile_lanes_(lap_shape(device, what).tile_lanes) {
    const LapShape shape = lap_shape(device, what);
    for (std::uint32_t group = 0; group < (what.slices ? what.groups : 1); ++group) {
      groups_.emplace_back(shape, words, group * (what.lap_bytes() / sizeof(std::uint32_t)));
    }
  }

  std::vector<std::uint32_t> values(std::uint64_t laps) const {
    std::vector<std::uint32_t> all;
    all.reserve(std::size_t{what_.groups} * what_.group_size);
    std::vector<std::uint32_t> of_group(tile_lanes_);
    for (std::uint32_t group = 0; group < what_.groups; ++group) {
      if (group < groups_.size()) {
        for (std::uint32_t lane = 0; lane < tile_lanes_; ++lane) of_group[lane] = groups_[group].value(lane, laps);
      }
      for (std::uint32_t lane = 0; lane < what_.group_size; ++lane) all.push_back(of_group[lane % tile_lanes_]);
    }
    return all;
  }

 private:
  CacheLaps what_;
  std::uint32_t tile_lanes_;
  std::vector<LapSums> groups_;  ///< of each group; of all at once where they walk the same
};

}  // namespace

std::optional<std::string> cache_laps_unsupported(const DeviceInfo& device, const CacheLaps& what) {
  if (!device.buffer_addresses) return "the device has no buffer addresses";
  if (auto reason = offsets_unsupported(device, what.footprint)) return reason;
  if (auto reason = group_unsupported(device, what.group_size, what.subgroup_size)) return reason;
  if (what.groups > device.max_groups) return fmt::format("a dispatch has at most {} work-groups", device.max_groups);
  if (const std::uint64_t most = chase_capacity(device, "global"); what.footprint > most)
    return fmt::format("a buffer holds at most {}", format_bytes(most));

  const LapShape shape = lap_shape(device, what);
  const bool rows_of_their_own = shape.tile_lanes == what.group_size;
  if (shape.tile_lanes == 0 || shape.tile_lanes % shape.lanes != 0 || shape.tiles * shape.tile_words() * 4 != what.lap_bytes() ||
      what.lap_bytes() * (what.slices ? what.groups : 1) != what.footprint) {
    return fmt::format("{} is not a whole number of tiles of {} lanes", format_bytes(what.lap_bytes()), what.group_size);
  }
  if (!rows_of_their_own && what.lap_bytes() > kAlwaysInFirstLevel)
    return fmt::format("{} is less than {} lanes read at once", format_bytes(what.lap_bytes()), what.group_size);
  if (max_laps(device, shape) == 0) return "a lap takes more loop iterations than the device executes";
  return std::nullopt;
}

Trial cache_laps_trial(Device& device, const CacheLaps& what, std::uint64_t seed) {
  const DeviceInfo& info = device.info();
  const LapShape shape = lap_shape(info, what);
  const std::uint32_t invocations = what.groups * what.group_size;
  const DataWords words(seed);

  const auto kernel = device.create(KernelDesc{.name = "cache_bandwidth",
                                               .definitions = {{"ACCESS", what.coherent ? "ACCESS_COHERENT" : "ACCESS_PLAIN"},
                                                               {"LANES", std::to_string(shape.lanes)},
                                                               {"UNROLL", std::to_string(what.unroll)}},
                                               .local_size = what.group_size,
                                               .bindings = {{"data", BindingKind::address}, {"out"}, {"stamps"}},
                                               .parameters = kParameters,
                                               .constants = {},
                                               .subgroup_size = what.subgroup_size});
  const auto data = device.create(BufferDesc{what.footprint});
  const auto out = device.create(BufferDesc{invocations * sizeof(std::uint32_t)});
  const auto stamps = device.create(BufferDesc{what.groups * sizeof(GroupStamp)});

  Trial trial;
  trial.setup = fill(device, data, words);
  trial.timed.dispatch = {kernel,
                          {{data, nullptr}, {out, nullptr}, {stamps, nullptr}},
                          {{"laps", 0},
                           {"tiles", static_cast<std::uint32_t>(shape.tiles)},
                           {"tile_lanes", shape.tile_lanes},
                           {"group_stride", static_cast<std::uint32_t>(what.slices ? what.lap_bytes() / kWidth : 0)}},
                          what.groups};
  trial.timed.loops_parameter = "laps";
  trial.timed.ops_per_loop = shape.tiles * shape.unroll;
  trial.timed.turn = {{.path = MemoryPath::global, .kind = AccessKind::read, .width = kWidth, .count = what.unroll}};
  trial.timed.max_loops = max_laps(info, shape);
  // Reckoned when first asked for: preparing a trial to compile its kernels does not wait for it.
  const auto expected = std::make_shared<std::optional<Expected>>();
  trial.timed.verify = [=](Device& on, std::uint64_t laps) {
    if (!*expected) {
      expected->emplace(on.info(), what, [words](std::uint64_t first, std::span<std::uint32_t> to) {
        for (std::size_t i = 0; i < to.size(); ++i) to[i] = words.word(first + i);
      });
    }
    const auto right = (*expected)->values(laps);
    std::vector<std::uint32_t> found(right.size());
    on.read(*out, 0, std::as_writable_bytes(std::span(found)));
    const auto wrong = std::mismatch(found.begin(), found.end(), right.begin());
    if (wrong.first == found.end()) return Outcome{};
    return Outcome{Status::invalid, fmt::format("invocation {} ended with {:#x} instead of {:#x} after {} laps",
                                                wrong.first - found.begin(), *wrong.first, *wrong.second, laps)};
  };
  trial.group_stamps = GroupStamps{stamps, 0, what.groups};
  trial.repeatable = true;
  trial.work =
      Work{.bytes_per_op = std::uint64_t{invocations} * kWidth, .group_bytes_per_op = std::uint64_t{what.group_size} * kWidth};
  observe_execution(trial, device);
  return trial;
}

}  // namespace percycle
