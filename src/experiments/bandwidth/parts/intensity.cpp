#include "experiments/bandwidth/parts/intensity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/data_words.hpp"
#include "core/units.hpp"
#include "device/values.hpp"
#include "expected/intensity.hpp"
#include "experiments/bandwidth/parts/unit_bandwidth.hpp"
#include "experiments/chases/parts/latency.hpp"
#include "experiments/common/execution_mode.hpp"
#include "experiments/common/max_loops.hpp"
#include "experiments/common/offsets.hpp"

namespace percycle {
namespace {

constexpr std::uint32_t kIntensityVector = 16;  // bytes of a load
// More would not fit instruction caches: rounds repeat them.
constexpr std::uint32_t kFmasOfRound = 512;
static_assert(kLargestIntensityTile == std::uint64_t{kIntensityGroup} * kIntensityVector * kMostTileRows);
// Code of this length fits the instruction caches of all known GPUs.
constexpr std::uint32_t kFmasOfTurn = 256;  // of each of four sums
// Fewer multiply-adds than this are not most of a turn's instructions.
constexpr std::uint32_t kAuditedFmas = 8;
constexpr std::uint32_t kMostPassesThroughMemory = 16;

// Behind `advance`, NVIDIA's OpenCL compiler would load both at once into registers of each lane. A
// multiply-add of three registers is slower than one of two and a uniform register.
const std::vector<KernelParameter> kIntensityParameters{{"factor", "of each multiply-add: 1.0"},
                                                        {"loops", "turns of each group, or passes over all tiles; 0: no work"},
                                                        {"chunks", "tiles"},
                                                        {"advance", "from one turn's tile to the next: 0"},
                                                        {"rounds", "of 512 multiply-adds, if there are more"},
                                                        {"addend_mask", ""},
                                                        {"period_mask", ""},
                                                        {"salt", ""}};

/// All subgroups of the device share one tile in their first cache. Other tiles are a group's own.
IntensityShape intensity_shape(const DeviceInfo& device, const Intensity& config) {
  return {.tile_lanes = config.level == "l1" ? row_lanes(device) : config.group_size,
          .unroll = config.rows > 0 ? config.rows : std::clamp(kFmasOfTurn / config.fmas, 1u, kMostTileRows),
          .fmas = config.fmas};
}

std::uint64_t tile_bytes(const IntensityShape& shape) { return std::uint64_t{shape.tile_words()} * sizeof(float); }

std::uint32_t intensity_tiles(const DeviceInfo& device, const Intensity& config) {
  if (config.level == "l1") return 1;
  if (config.level == "l2") return all_units(device) * config.groups_per_unit;
  return static_cast<std::uint32_t>(config.footprint / tile_bytes(intensity_shape(device, config)));
}

std::uint32_t intensity_groups(const DeviceInfo& device, const Intensity& config) {
  return config.is_dram() ? intensity_tiles(device, config) : all_units(device) * config.groups_per_unit;
}

KernelDesc intensity_kernel(const Intensity& config, const IntensityShape& shape, const char* role) {
  return {.name = "intensity",
          .definitions = {{"LEVEL", config.level == "l1"   ? "LEVEL_L1"
                                    : config.level == "l2" ? "LEVEL_L2"
                                                           : "LEVEL_DRAM"},
                          {"ROLE", role},
                          {"TILE_LANES", std::to_string(shape.tile_lanes)},
                          {"UNROLL", std::to_string(shape.unroll)},
                          {"FMAS", std::to_string(shape.fmas)}},
          .local_size = config.group_size,
          .bindings = {{"data", BindingKind::address}, {"out"}, {"stamps"}},
          .parameters = kIntensityParameters};
}

TileElement tile_element(const IntensityShape& shape, std::uint32_t salt, std::uint32_t tile) {
  return [=](std::uint32_t index) { return intensity_element(shape, salt, std::uint64_t{tile} * shape.tile_words() + index); };
}

Outcome wrong_sum(const char* place, std::size_t number, std::uint32_t found, std::uint32_t right, std::uint64_t loops) {
  return {Status::invalid,
          fmt::format("{} {} ended with {:#x} instead of {:#x} after {} loops", place, number, found, right, loops)};
}

/// Compares the end value of every lane.
class IntensityLanes {
 public:
  IntensityLanes(const IntensityShape& shape, std::uint32_t tiles, std::uint32_t groups, std::uint32_t group_size,
                 std::uint32_t salt, std::shared_ptr<Buffer> out)
      : shape_(shape), tiles_(tiles), groups_(groups), group_size_(group_size), salt_(salt), out_(std::move(out)) {}

  Outcome operator()(Device& device, std::uint64_t loops) {
    if (loops == 0) return {};
    if (sums_.empty()) {
      for (std::uint32_t tile = 0; tile < tiles_; ++tile) {
        for (std::uint32_t lane = 0; lane < shape_.tile_lanes; ++lane)
          sums_.push_back(intensity_sums(shape_, tile_element(shape_, salt_, tile), lane));
      }
    }
    std::vector<std::uint32_t> ends;
    for (const auto& sums : sums_) ends.push_back(intensity_end(sums, loops));
    const auto found = read_values<std::uint32_t>(device, *out_, std::size_t{groups_} * group_size_);
    for (std::size_t i = 0; i < found.size(); ++i) {
      const std::uint32_t right = ends[i / group_size_ % tiles_ * shape_.tile_lanes + i % group_size_ % shape_.tile_lanes];
      if (found[i] != right) return wrong_sum("invocation", i, found[i], right, loops);
    }
    return {};
  }

 private:
  IntensityShape shape_;
  std::uint32_t tiles_;
  std::uint32_t groups_;
  std::uint32_t group_size_;
  std::uint32_t salt_;
  std::shared_ptr<Buffer> out_;
  std::vector<std::array<std::uint32_t, 4>> sums_;  ///< of each lane; computed at first use
};

/// Compares the sum that every tile added since the last run.
class IntensityTiles {
 public:
  IntensityTiles(Device& device, const IntensityShape& shape, std::uint32_t tiles, std::uint32_t salt,
                 std::shared_ptr<Buffer> out)
      : shape_(shape), salt_(salt), out_(std::move(out)), before_(tiles) {
    write_values(device, *out_, before_);
  }

  Outcome operator()(Device& device, std::uint64_t loops) {
    if (of_pass_.empty()) reckon();
    auto now = read_values<std::uint32_t>(device, *out_, before_.size());
    before_.swap(now);
    for (std::size_t tile = 0; tile < before_.size(); ++tile) {
      const std::uint32_t right = static_cast<std::uint32_t>(loops) * of_pass_[tile];
      if (const std::uint32_t found = before_[tile] - now[tile]; found != right)
        return wrong_sum("tile", tile, found, right, loops);
    }
    return {};
  }

 private:
  /// The first addends repeat with the period; the second one is the same in all of a tile.
  void reckon() {
    const std::uint32_t different =
        std::min<std::uint32_t>(kIntensityPeriod / shape_.tile_words(), static_cast<std::uint32_t>(before_.size()));
    const std::uint32_t factors = shape_.tile_words() / 4 * (1 + 3 + 5 + 7) * shape_.fmas;
    const auto own = [&](std::uint32_t tile) {
      return tile_element(shape_, salt_, tile)(0) - tile_element(shape_, salt_, tile % different)(0);
    };
    for (std::uint32_t tile = 0; tile < before_.size(); ++tile) {
      of_pass_.push_back(tile < different ? intensity_tile_sum(shape_, tile_element(shape_, salt_, tile))
                                          : of_pass_[tile % different] + factors * own(tile));
    }
  }

  IntensityShape shape_;
  std::uint32_t salt_;
  std::shared_ptr<Buffer> out_;
  std::vector<std::uint32_t> before_;
  std::vector<std::uint32_t> of_pass_;  ///< the sum of each tile; computed at first use
};

}  // namespace

std::uint64_t most_intensity_bytes(const DeviceInfo& device) {
  // The smallest tile has one row.
  return std::min(chase_capacity(device, "global"), device.max_groups * kIntensityGroup * kIntensityVector);
}

std::optional<std::string> intensity_unsupported(const DeviceInfo& device, const Intensity& config) {
  const IntensityShape shape = intensity_shape(device, config);
  if (!device.buffer_addresses) return "the device has no buffer addresses";
  if (auto reason = group_unsupported(device, config.group_size, {})) return reason;
  const std::uint64_t tiles = intensity_tiles(device, config);
  const std::uint64_t bytes = tiles * tile_bytes(shape);
  if (auto reason = offsets_unsupported(device, bytes)) return reason;
  if (const std::uint64_t most = chase_capacity(device, "global"); bytes > most)
    return fmt::format("a buffer holds at most {}", format_bytes(most));
  if (config.is_dram() && (tiles == 0 || bytes != config.footprint))
    return fmt::format("{} is not a whole number of tiles of {}", format_bytes(config.footprint),
                       format_bytes(tile_bytes(shape)));
  if (intensity_groups(device, config) > device.max_groups)
    return fmt::format("a dispatch has at most {} work-groups", device.max_groups);
  return std::nullopt;
}

Trial intensity_trial(Device& device, const Intensity& config, std::uint64_t seed) {
  const DeviceInfo& info = device.info();
  const IntensityShape shape = intensity_shape(info, config);
  const std::uint32_t tiles = intensity_tiles(info, config);
  const std::uint32_t groups = intensity_groups(info, config);
  const std::uint32_t salt = DataWords(seed).salt();
  const auto data = device.create(BufferDesc{tiles * tile_bytes(shape)});
  const std::uint64_t invocations = std::uint64_t{groups} * config.group_size;
  const auto out = device.create(BufferDesc{(config.is_dram() ? tiles : invocations) * sizeof(std::uint32_t)});
  const auto stamps = device.create(BufferDesc{(config.is_dram() ? 1 : groups) * sizeof(GroupStamp)});
  const auto dispatch = [&](const char* role, std::uint32_t count) {
    return Dispatch{device.create(intensity_kernel(config, shape, role)),
                    {{data, nullptr}, {out, nullptr}, {stamps, nullptr}},
                    {{"loops", 0},
                     {"chunks", tiles},
                     {"advance", 0},
                     {"factor", std::bit_cast<std::uint32_t>(1.0f)},
                     {"rounds", config.fmas / kFmasOfRound},
                     {"addend_mask", shape.addend_mask()},
                     {"period_mask", kIntensityPeriod - 1},
                     {"salt", salt}},
                    count};
  };
  Trial trial;
  trial.setup = {dispatch("ROLE_FILL", tiles)};
  trial.timed.dispatch = dispatch("ROLE_TIMED", groups);
  trial.timed.ops_per_loop = shape.fmas_of_lane();
  // The innermost loop of rounds has no loads.
  if (config.fmas <= kFmasOfRound)
    trial.timed.turn = {{.path = MemoryPath::global, .kind = AccessKind::read, .width = kIntensityVector, .count = shape.unroll}};
  if (config.is_dram()) {
    trial.timed.groups_per_loop = tiles;
    trial.timed.tries_part_first = true;
    trial.timed.max_loops = std::clamp<std::uint64_t>(info.max_groups / tiles, 1, kMostPassesThroughMemory);
    trial.timed.verify = IntensityTiles(device, shape, tiles, salt, out);
    trial.accumulates = true;
  } else {
    if (config.fmas >= kAuditedFmas && config.fmas <= kFmasOfRound)
      trial.timed.arithmetic = {"multiply-add", shape.fmas_of_lane()};
    trial.timed.max_loops = max_loops(info, 0);
    trial.timed.verify = IntensityLanes(shape, tiles, groups, config.group_size, salt, out);
    trial.group_stamps = GroupStamps{stamps, 0, groups};
    trial.repeatable = true;
  }
  // An operation is a multiply-add: a power of two that divides the lanes' bytes.
  trial.work = Work{.bytes_per_op = invocations * sizeof(float) / config.fmas,
                    .group_bytes_per_op = std::uint64_t{config.group_size} * sizeof(float) / config.fmas};
  trial.participants = Participants{.dispatch = invocations, .group = config.group_size};
  observe_execution(trial, device);
  return trial;
}

}  // namespace percycle
