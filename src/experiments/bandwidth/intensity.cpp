#include "expected/intensity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/data_words.hpp"
#include "core/error.hpp"
#include "core/units.hpp"
#include "experiments/bandwidth/parts/best_configuration.hpp"
#include "experiments/bandwidth/parts/unit_bandwidth.hpp"
#include "experiments/chases/parts/chase.hpp"
#include "experiments/common/execution_mode.hpp"
#include "experiments/common/max_loops.hpp"
#include "experiments/common/offsets.hpp"
#include "experiments/common/word_list.hpp"
#include "experiments/experiment.hpp"

namespace percycle::intensity_experiment {
namespace {

constexpr const char* kLevel = "level";
constexpr const char* kFmas = "fmas";
constexpr const char* kGroupsPerUnit = "groups_per_unit";
constexpr const char* kRows = "rows";
constexpr const char* kFootprint = "footprint";

constexpr const char* kL1 = "l1";
constexpr const char* kL2 = "l2";
constexpr const char* kDram = "dram";

constexpr std::uint32_t kVectorBytes = 16;
constexpr std::uint32_t kGroupSize = 256;
constexpr std::uint32_t kMostFmas = 1024;
constexpr std::uint32_t kFmasOfRound = 512;  // more would not fit instruction caches: rounds repeat them
constexpr std::uint32_t kMostFmasOfCpu = 64;
constexpr std::uint32_t kMostRows = 4;
// With fewer multiply-adds than this, a search also tries twice as many rows: more loads in flight.
constexpr std::uint32_t kFewFmas = 8;
// Code of this length fits the instruction caches of all known GPUs.
constexpr std::uint32_t kFmasOfTurn = 256;  // of each of four sums
// Fewer multiply-adds than this are not most of a turn's instructions.
constexpr std::uint32_t kAuditedFmas = 8;
constexpr std::uint32_t kMostPassesThroughMemory = 16;

const std::vector<KernelParameter> kIntensityParameters{{"loops", "turns of each group, or passes over all tiles; 0: no work"},
                                                        {"chunks", "tiles"},
                                                        {"advance", "from one turn's tile to the next: 0"},
                                                        {"factor", "of each multiply-add: 1.0"},
                                                        {"rounds", "of 512 multiply-adds, if there are more"},
                                                        {"addend_mask", ""},
                                                        {"period_mask", ""},
                                                        {"salt", ""}};

/// Everything about a point.
struct Intensity {
  std::string level;
  std::uint32_t fmas = 1;
  std::uint32_t groups_per_unit = 0;  ///< not of DRAM
  std::uint32_t rows = 0;             ///< of a tile; 0: as many as suit the multiply-adds
  std::uint64_t footprint = 0;        ///< of DRAM

  bool is_dram() const { return level == kDram; }
};

Intensity intensity_of(const Point& point) {
  return {.level = word(point.parameters, kLevel),
          .fmas = static_cast<std::uint32_t>(integer(point.parameters, kFmas)),
          .groups_per_unit = static_cast<std::uint32_t>(integer_or(point.parameters, kGroupsPerUnit, 0)),
          .rows = static_cast<std::uint32_t>(integer_or(point.parameters, kRows, 0)),
          .footprint = static_cast<std::uint64_t>(integer_or(point.parameters, kFootprint, 0))};
}

/// All subgroups of the device share one tile in their first cache. Other tiles are a group's own.
IntensityShape shape_of(const DeviceInfo& device, const Intensity& config) {
  return {.tile_lanes = config.level == kL1 ? row_lanes(device) : kGroupSize,
          .unroll = config.rows > 0 ? config.rows : std::clamp(kFmasOfTurn / config.fmas, 1u, kMostRows),
          .fmas = config.fmas};
}

std::uint64_t tile_bytes(const IntensityShape& shape) { return std::uint64_t{shape.tile_words()} * sizeof(float); }

std::uint32_t tiles_of(const DeviceInfo& device, const Intensity& config) {
  if (config.level == kL1) return 1;
  if (config.level == kL2) return all_units(device) * config.groups_per_unit;
  return static_cast<std::uint32_t>(config.footprint / tile_bytes(shape_of(device, config)));
}

std::uint64_t automatic_footprint(const DeviceInfo& device, Preset preset) {
  const bool gpu = device.type == DeviceType::gpu && device.model.empty();
  const std::uint64_t wanted = gpu ? (preset == Preset::quick ? kGiB : 4 * kGiB) : preset == Preset::full ? 64 * kMiB : 16 * kMiB;
  // The smallest tile has one row.
  const std::uint64_t most = std::min(chase_capacity(device, "global"), device.max_groups * kGroupSize * kVectorBytes);
  const std::uint64_t largest_tile = std::uint64_t{kGroupSize} * kVectorBytes * kMostRows;
  return std::min(wanted, most) / largest_tile * largest_tile;
}

KernelDesc describe(const Intensity& config, const IntensityShape& shape, const char* role) {
  return {.name = "intensity",
          .definitions = {{"LEVEL", config.level == kL1   ? "LEVEL_L1"
                                    : config.level == kL2 ? "LEVEL_L2"
                                                          : "LEVEL_DRAM"},
                          {"ROLE", role},
                          {"TILE_LANES", std::to_string(shape.tile_lanes)},
                          {"UNROLL", std::to_string(shape.unroll)},
                          {"FMAS", std::to_string(shape.fmas)}},
          .local_size = kGroupSize,
          .bindings = {{"data", BindingKind::address}, {"out"}, {"stamps"}},
          .parameters = kIntensityParameters,
          .constants = {},
          .subgroup_size = {}};
}

TileElement element_of(const IntensityShape& shape, std::uint32_t salt, std::uint32_t tile) {
  return [=](std::uint32_t index) { return intensity_element(shape, salt, std::uint64_t{tile} * shape.tile_words() + index); };
}

Outcome wrong(const char* place, std::size_t number, std::uint32_t found, std::uint32_t right, std::uint64_t loops) {
  return {Status::invalid,
          fmt::format("{} {} ended with {:#x} instead of {:#x} after {} loops", place, number, found, right, loops)};
}

/// Compares what every lane ended with.
class LaneCheck {
 public:
  LaneCheck(const IntensityShape& shape, std::uint32_t tiles, std::uint32_t groups, std::uint32_t salt,
            std::shared_ptr<Buffer> out)
      : shape_(shape), tiles_(tiles), groups_(groups), salt_(salt), out_(std::move(out)) {}

  Outcome operator()(Device& device, std::uint64_t loops) {
    if (loops == 0) return {};
    if (sums_.empty()) {
      for (std::uint32_t tile = 0; tile < tiles_; ++tile) {
        for (std::uint32_t lane = 0; lane < shape_.tile_lanes; ++lane)
          sums_.push_back(intensity_sums(shape_, element_of(shape_, salt_, tile), lane));
      }
    }
    std::vector<std::uint32_t> ends;
    for (const auto& sums : sums_) ends.push_back(intensity_end(sums, loops));
    std::vector<std::uint32_t> found(std::size_t{groups_} * kGroupSize);
    device.read(*out_, 0, std::as_writable_bytes(std::span(found)));
    for (std::size_t i = 0; i < found.size(); ++i) {
      const std::uint32_t right = ends[i / kGroupSize % tiles_ * shape_.tile_lanes + i % kGroupSize % shape_.tile_lanes];
      if (found[i] != right) return wrong("invocation", i, found[i], right, loops);
    }
    return {};
  }

 private:
  IntensityShape shape_;
  std::uint32_t tiles_;
  std::uint32_t groups_;
  std::uint32_t salt_;
  std::shared_ptr<Buffer> out_;
  std::vector<std::array<std::uint32_t, 4>> sums_;  ///< of each lane; computed at first use
};

/// Compares what every tile added since the last run.
class TileCheck {
 public:
  TileCheck(Device& device, const IntensityShape& shape, std::uint32_t tiles, std::uint32_t salt, std::shared_ptr<Buffer> out)
      : shape_(shape), salt_(salt), out_(std::move(out)), before_(tiles) {
    device.write(*out_, 0, std::as_bytes(std::span(before_)));
  }

  Outcome operator()(Device& device, std::uint64_t loops) {
    if (of_pass_.empty()) reckon();
    std::vector<std::uint32_t> now(before_.size());
    device.read(*out_, 0, std::as_writable_bytes(std::span(now)));
    before_.swap(now);
    for (std::size_t tile = 0; tile < before_.size(); ++tile) {
      const std::uint32_t right = static_cast<std::uint32_t>(loops) * of_pass_[tile];
      if (const std::uint32_t found = before_[tile] - now[tile]; found != right) return wrong("tile", tile, found, right, loops);
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
      return element_of(shape_, salt_, tile)(0) - element_of(shape_, salt_, tile % different)(0);
    };
    for (std::uint32_t tile = 0; tile < before_.size(); ++tile) {
      of_pass_.push_back(tile < different ? intensity_tile_sum(shape_, element_of(shape_, salt_, tile))
                                          : of_pass_[tile % different] + factors * own(tile));
    }
  }

  IntensityShape shape_;
  std::uint32_t salt_;
  std::shared_ptr<Buffer> out_;
  std::vector<std::uint32_t> before_;
  std::vector<std::uint32_t> of_pass_;  ///< the sum of each tile; computed at first use
};

/// A roofline measured point by point (docs/experiments/bandwidth.md).
class IntensitySweep final : public Experiment {
 public:
  std::string name() const override { return "intensity"; }

  Presentation presentation() const override {
    return {
        .title = "Rate by operational intensity",
        .question = "How many multiply-adds per second remain if their operands come from a cache or from memory?",
        .method =
            "Every word that a lane loads takes part in some 32-bit multiply-adds: few at one end of the sweep, hundreds at the "
            "other. "
            "Few are limited by the bandwidth of the level that serves the loads, many by the execution units. "
            "The host computes the same sums.",
        .metric = "rate of multiply-adds: 1e9 per second, and GB/s of the loads",
        .operation = "multiply-add",
        .order = 440,
        .configuration = {kGroupsPerUnit, kRows},
        .sizes = {kGroupsPerUnit, kFootprint},
        .limits = {{.only = {{kLevel, kL1}}, .quantity = Quantity::load},
                   {.only = {{kLevel, kDram}}, .quantity = Quantity::memory}},
        .takes_all_units = true,
        .below_full_rate = {{kLevel, kL1}, {kLevel, kL2}, {kLevel, kDram}},
        .curves = {{.name = "intensity",
                    .title = "Rate by operational intensity",
                    .x = kFmas,
                    .x_title = "multiply-adds per loaded word of 4 bytes",
                    .y = {"gops_per_s"},
                    .y_along = Along::doubled,
                    .follows = {kFootprint}}},
        .intensity = {.parameter = kFmas,
                      .flops_per_byte = 2.0 / sizeof(float),
                      .flops_per_op = 2,
                      .level = kLevel,
                      .bandwidths = {{kL1, "L1"}, {kL2, "shared caches"}, {kDram, "memory"}},
                      .rate = "FP32"}};
  }

  std::vector<ParameterSpec> parameters() const override {
    using Type = ParameterSpec::Type;
    return {
        {kLevel,
         Type::words,
         {kL1, kL2, kDram},
         "l1,l2,dram",
         "l1: one tile that all subgroups load; l2: loads that no cache of a unit serves; dram: an array larger than all caches"},
        {kFmas,
         Type::number,
         {},
         "auto",
         "multiply-adds per loaded word, a power of two; auto: 1, 2, 4, ... 1024, on CPUs 64 (quick: every third)",
         kMostFmas},
        {kFootprint,
         Type::bytes,
         {},
         "auto",
         "bytes of the array in memory; auto: 4 GiB on GPUs (quick: 1 GiB) or the largest buffer, else 16 MiB (full: 64 MiB)"}};
  }

  std::vector<Point> plan(const DeviceInfo& device, const Options& options, std::span<const PointResult> done) const override {
    std::vector<Point> points;
    for (const std::string& level : word_list(options.value(kLevel))) {
      for (const std::uint32_t fmas : fmas_of(device, options)) {
        Point question{name(), {{kLevel, level}, {kFmas, std::int64_t{fmas}}}};
        if (level == kDram) {
          const std::string& wanted = options.value(kFootprint);
          const std::uint64_t bytes = wanted == "auto" ? automatic_footprint(device, options.preset) : parse_bytes(wanted);
          question.parameters[kFootprint] = static_cast<std::int64_t>(bytes);
        }
        const auto some = best_configurations(configurations(device, options.preset, question), done, 1, Merit::device);
        points.insert(points.end(), some.begin(), some.end());
      }
    }
    return points;
  }

  std::optional<std::string> unsupported(const DeviceInfo& device, const Point& point) const override {
    const Intensity config = intensity_of(point);
    const IntensityShape shape = shape_of(device, config);
    if (!device.buffer_addresses) return "the device has no buffer addresses";
    if (auto reason = group_unsupported(device, kGroupSize, {})) return reason;
    const std::uint64_t tiles = tiles_of(device, config);
    const std::uint64_t bytes = tiles * tile_bytes(shape);
    if (auto reason = offsets_unsupported(device, bytes)) return reason;
    if (const std::uint64_t most = chase_capacity(device, "global"); bytes > most)
      return fmt::format("a buffer holds at most {}", format_bytes(most));
    if (config.is_dram() && (tiles == 0 || bytes != config.footprint))
      return fmt::format("{} is not a whole number of tiles of {}", format_bytes(config.footprint),
                         format_bytes(tile_bytes(shape)));
    if (groups_of(device, config) > device.max_groups)
      return fmt::format("a dispatch has at most {} work-groups", device.max_groups);
    return std::nullopt;
  }

  Trial prepare(Device& device, const Point& point, std::uint64_t seed) const override {
    const Intensity config = intensity_of(point);
    const DeviceInfo& info = device.info();
    const IntensityShape shape = shape_of(info, config);
    const std::uint32_t tiles = tiles_of(info, config);
    const std::uint32_t groups = groups_of(info, config);
    const std::uint32_t salt = DataWords(seed).salt();
    const auto data = device.create(BufferDesc{tiles * tile_bytes(shape)});
    const auto out =
        device.create(BufferDesc{(config.is_dram() ? tiles : std::uint64_t{groups} * kGroupSize) * sizeof(std::uint32_t)});
    const auto stamps = device.create(BufferDesc{(config.is_dram() ? 1 : groups) * sizeof(GroupStamp)});
    const auto dispatch = [&](const char* role, std::uint32_t count) {
      return Dispatch{device.create(describe(config, shape, role)),
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
    trial.timed.turn = {{.path = MemoryPath::global, .kind = AccessKind::read, .width = kVectorBytes, .count = shape.unroll}};
    if (config.is_dram()) {
      trial.timed.groups_per_loop = tiles;
      trial.timed.max_loops = std::clamp<std::uint64_t>(info.max_groups / tiles, 1, kMostPassesThroughMemory);
      trial.timed.verify = TileCheck(device, shape, tiles, salt, out);
      trial.accumulates = true;
    } else {
      if (config.fmas >= kAuditedFmas && config.fmas <= kFmasOfRound)
        trial.timed.arithmetic = {"multiply-add", shape.fmas_of_lane()};
      trial.timed.max_loops = max_loops(info, 0);
      trial.timed.verify = LaneCheck(shape, tiles, groups, salt, out);
      trial.group_stamps = GroupStamps{stamps, 0, groups};
      trial.repeatable = true;
    }
    // An operation is a multiply-add: a power of two that divides the lanes' bytes.
    trial.work = Work{.bytes_per_op = std::uint64_t{groups} * kGroupSize * sizeof(float) / config.fmas,
                      .group_bytes_per_op = std::uint64_t{kGroupSize} * sizeof(float) / config.fmas};
    trial.participants = Participants{.dispatch = std::uint64_t{groups} * kGroupSize, .group = kGroupSize};
    observe_execution(trial, device);
    apply_role(trial, point);
    return trial;
  }

 private:
  static std::vector<std::uint32_t> fmas_of(const DeviceInfo& device, const Options& options) {
    const std::string& wanted = options.value(kFmas);
    if (wanted != "auto") {
      const auto fmas = static_cast<std::uint32_t>(std::stoul(wanted));
      if (!std::has_single_bit(fmas)) throw UsageError(fmt::format("--set fmas={}: intensity takes powers of two", wanted));
      return {fmas};
    }
    std::vector<std::uint32_t> all;
    const std::uint32_t step = options.preset == Preset::quick ? 3 : 1;
    const std::uint32_t most = device.type == DeviceType::cpu ? kMostFmasOfCpu : kMostFmas;
    for (std::uint32_t fmas = 1; fmas <= most; fmas <<= step) all.push_back(fmas);
    return all;
  }

  static std::uint32_t groups_of(const DeviceInfo& device, const Intensity& config) {
    return config.is_dram() ? tiles_of(device, config) : all_units(device) * config.groups_per_unit;
  }

  /// The question with each number of groups per unit and, for few multiply-adds, of rows; without
  /// any for DRAM.
  static std::vector<Point> configurations(const DeviceInfo& device, Preset preset, const Point& question) {
    if (word(question.parameters, kLevel) == kDram) return {question};
    const bool one = preset == Preset::quick || device.type == DeviceType::cpu;
    const bool has_rows = !one && integer(question.parameters, kFmas) < kFewFmas;
    std::vector<Point> points;
    for (const std::int64_t groups : one ? std::vector<std::int64_t>{4} : std::vector<std::int64_t>{2, 4, 8}) {
      for (const std::uint32_t rows : has_rows ? std::vector{kMostRows, 2 * kMostRows} : std::vector{0u}) {
        points.push_back(question);
        points.back().parameters[kGroupsPerUnit] = groups;
        if (rows > 0) points.back().parameters[kRows] = std::int64_t{rows};
      }
    }
    return points;
  }
};

const RegisterExperiment registered(std::make_unique<IntensitySweep>());

}  // namespace
}  // namespace percycle::intensity_experiment
