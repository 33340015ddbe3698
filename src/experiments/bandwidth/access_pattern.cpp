#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/data_words.hpp"
#include "core/figures.hpp"
#include "core/units.hpp"
#include "device/values.hpp"
#include "expected/access_pattern.hpp"
#include "experiments/bandwidth/parts/unit_bandwidth.hpp"
#include "experiments/chases/parts/latency.hpp"
#include "experiments/common/beyond_caches.hpp"
#include "experiments/common/execution_mode.hpp"
#include "experiments/common/fill.hpp"
#include "experiments/common/invocation_words.hpp"
#include "experiments/common/offsets.hpp"
#include "experiments/common/product.hpp"
#include "experiments/common/slow_device.hpp"
#include "experiments/experiment.hpp"

namespace percycle::access_pattern_experiment {
namespace {

constexpr const char* kTest = "test";
constexpr const char* kLevel = "level";
constexpr const char* kWidth = "width";
constexpr const char* kStride = "stride";
constexpr const char* kMisalignment = "misalignment";
constexpr const char* kFootprint = "footprint";
constexpr const char* kGroupsPerUnit = "groups_per_unit";
constexpr const char* kAskedBytes = "asked_bytes";
constexpr const char* kSectorsBytes = "sectors_bytes";
constexpr const char* kLinesBytes = "lines_bytes";

constexpr const char* kL2 = "l2";
constexpr const char* kDram = "dram";
constexpr const char* kByMisalignment = "misalignment";

constexpr std::uint32_t kWordBytes = 4;
constexpr std::uint32_t kMostStrideWords = 32;
constexpr std::uint32_t kMostMisalignment = 96;
constexpr std::uint32_t kGroupLanes = 256;
constexpr std::uint32_t kUnroll = 4;  // of kernel pair `access_pattern`
/// Enough loads in flight for the second level of an H100 at any stride.
constexpr std::uint32_t kGroupsOfUnit = 4;
/// No two rows share a line of this size.
constexpr std::uint64_t kRowBoundary = 128;
/// The sectors and lines in which the points count the touched bytes of a row.
constexpr std::uint64_t kSectorBytes = 32;
constexpr std::uint64_t kLineBytes = 128;

const WordsParameter kTests{kTest,
                            {kStride, kByMisalignment},
                            "stride: words apart; misalignment: adjacent words, the first one behind a boundary of 128 B"};
const WordsParameter kLevels{
    kLevel,
    {kL2, kDram},
    ParameterSpec::kAutomatic,
    "l2: one region for all groups, with loads that no cache of a unit serves; dram: a region larger than all caches; auto: "
    "both (quick: l2)"};
const WordsParameter kWidths{kWidth,
                             {"4", "8", "16"},
                             ParameterSpec::kAutomatic,
                             "bytes that a lane loads at once; auto: all (quick, and the misalignment except at full: 4 and 16)"};
const NumberParameter kStrides{
    kStride, "words from lane to lane, a multiple of the width; auto: 1, 2, 4, ... 32 (full: also multiples of them by 3)",
    kMostStrideWords};
const BytesParameter kL2Footprint{"l2_footprint", "for level l2: bytes of the region; auto: 4 MiB, 1 MiB on CPUs"};
const BytesParameter kDramFootprint{
    "dram_footprint",
    "for level dram: bytes of the region; auto: 1 GiB on GPUs with at least 8 GiB, 512 MiB on others, else 16 MiB (full: 64 "
    "MiB)"};

const std::vector<KernelParameter> kAccessPatternParameters{{"laps", "0: no work"},
                                                            {"turns", "tiles of a lap"},
                                                            {"tiles", "of the region"},
                                                            {"step", "tiles from a group's first to the next group's"},
                                                            {"pitch", "vectors from row to row"},
                                                            {"stride", "vectors from lane to lane"},
                                                            {"shift", "vectors in front of a row's first lane"}};

/// Everything about a point.
struct Pattern {
  bool is_dram = false;
  RowTiles tiles;
  std::uint64_t footprint = 0;
  std::uint32_t groups = 1;
  std::optional<std::uint32_t> subgroup_size{};

  std::uint64_t tile_count() const { return footprint / tiles.bytes(); }
  /// Tiles that a group reads in a lap: all of them, or in memory its own slice.
  std::uint64_t turns() const { return is_dram ? tile_count() / groups : tile_count(); }
  std::uint64_t first_tile(std::uint32_t group) const { return group * step() % tile_count(); }
  /// Groups that walk the same tiles begin far from their neighbours, because one access can serve
  /// several units that request one line at the same time.
  std::uint64_t step() const { return is_dram ? turns() : (tile_count() * 618 / 1000) | 1; }
  std::uint64_t region_bytes() const { return tile_count() * tiles.bytes(); }
  std::uint32_t vectors(std::uint64_t bytes) const { return static_cast<std::uint32_t>(bytes / tiles.row.width); }
};

Pattern pattern_of(const DeviceInfo& device, const Point& point) {
  const std::uint32_t lanes = row_lanes(device);
  const std::uint32_t width = number_or(point, kWidth, kWordBytes);
  Pattern pattern{
      .is_dram = word(point, kLevel) == kDram,
      .tiles = {.row = {.lanes = lanes,
                        .width = width,
                        .stride = number_or(point, kStride, width / kWordBytes) * kWordBytes,
                        .first = number_or(point, kMisalignment, 0u)},
                .lane_rows = kGroupLanes / lanes,
                .unroll = kUnroll},
      .footprint = number(point, kFootprint),
      .groups = all_units(device) * number_or(point, kGroupsPerUnit, kGroupsOfUnit),
      .subgroup_size = required_subgroup_size(point),
  };
  // Rows of all misalignments are equally far apart.
  LaneRow longest = pattern.tiles.row;
  if (word(point, kTest) == kByMisalignment) longest.first = kMostMisalignment;
  pattern.tiles.pitch = (longest.end() + kRowBoundary - 1) / kRowBoundary * kRowBoundary;
  return pattern;
}

/// Most laps of a dispatch. lavapipe also counts the last check of each loop.
std::uint64_t most_laps(const DeviceInfo& device, const Pattern& pattern) {
  if (!device.max_loop_iterations) return UINT32_MAX;
  return (*device.max_loop_iterations - 1) / (pattern.turns() + 1);
}

/// Compares the end value of every lane. The sums are computed at first use: a trial that only
/// compiles its kernels does not need them.
class PatternCheck {
 public:
  PatternCheck(const Pattern& pattern, const DataWords& words, std::shared_ptr<Buffer> out)
      : pattern_(pattern), words_(words), out_(std::move(out)) {}

  Outcome operator()(Device& device, std::uint64_t laps) {
    for (std::uint32_t group = static_cast<std::uint32_t>(sums_.size()); group < (pattern_.is_dram ? pattern_.groups : 1);
         ++group) {
      const std::uint64_t first = pattern_.first_tile(group);
      sums_.push_back(row_sums(pattern_.tiles, first, first + pattern_.turns(), words_));
    }
    const auto found = read_values<std::uint32_t>(device, *out_, std::size_t{pattern_.groups} * kGroupLanes);
    const auto right = [&](std::size_t i) {
      return static_cast<std::uint32_t>(laps) * sums_[i / kGroupLanes % sums_.size()][i % kGroupLanes];
    };
    return check_invocations(found, right, laps, "laps");
  }

 private:
  Pattern pattern_;
  DataWords words_;
  std::shared_ptr<Buffer> out_;
  /// A list for each group, or one if all read the same tiles.
  std::vector<std::vector<std::uint32_t>> sums_;
};

std::uint64_t automatic_footprint(const DeviceInfo& device, Preset preset, const std::string& level) {
  const bool is_gpu = !is_slow(device);
  if (level == kL2) return device.type == DeviceType::cpu ? kMiB : 4 * kMiB;
  const std::uint64_t most = is_gpu ? beyond_caches(device) : preset == Preset::full ? 64 * kMiB : 16 * kMiB;
  return std::min(most, chase_capacity(device, "global"));
}

/// Bandwidth if the words of the lanes are not adjacent, or not aligned to a line: caches and
/// memory move whole sectors and lines.
class AccessPattern final : public Experiment {
 public:
  std::string name() const override { return "access-pattern"; }
  Presentation presentation() const override {
    const auto curve = [](const char* name, const char* title, const char* x, const char* x_title, AxisScale scale) {
      return CurveChart{.name = name,
                        .title = title,
                        .x = x,
                        .x_title = x_title,
                        .x_scale = scale,
                        .y = {figures::kBytesPerUnitCycle, figures::kGbPerS},
                        .split = {kLevel},
                        .follows = {kAskedBytes, kSectorsBytes, kLinesBytes, kFootprint}};
    };
    const auto limit = [](const char* level, Quantity quantity) {
      return LimitRule{.only = {{kLevel, level}}, .quantity = quantity, .moved = {kAskedBytes, kSectorsBytes}};
    };
    return {
        .title = "Bandwidth by stride and alignment",
        .question = "How much bandwidth remains if the words of the lanes lie apart, or across the boundaries of lines?",
        .method =
            "The lanes of a row load words a stride apart, or adjacent words from a misaligned address on. Only the requested "
            "bytes count. Caches and memory move whole sectors, so a limit is multiplied by the share of requested bytes in "
            "the touched sectors of 32 B, the smallest sectors of known GPUs.",
        .metric = "load bandwidth: GB/s and bytes per unit and cycle, of the requested bytes",
        .operation = "load",
        .order = 235,
        .configuration = {kGroupsPerUnit},
        .sizes = {kFootprint, kStride, kMisalignment, kAskedBytes, kSectorsBytes, kLinesBytes},
        .limits = {limit(kL2, Quantity::l2), limit(kL2, Quantity::l2_device), limit(kDram, Quantity::memory)},
        .curves = {curve("access-pattern-stride", "Bandwidth by stride from lane to lane", kStride, "stride in words",
                         AxisScale::doubled),
                   curve("access-pattern-misalignment", "Bandwidth by misalignment of the first lane", kMisalignment,
                         "misalignment in bytes", AxisScale::linear)},
        .words = {{kLevel, kL2, "the L2"}, {kLevel, kDram, "memory"}, {kWidth, "", "{} B of a lane"}}};
  }

  std::vector<ParameterSpec> parameters() const override {
    return {kTests, kLevels, kWidths, kStrides, kL2Footprint, kDramFootprint, kSubgroupSize, kWgpMode};
  }

  std::vector<Point> plan(const DeviceInfo& device, const Options& options,
                          std::span<const PointResult> /*done*/) const override {
    const bool quick = options.preset == Preset::quick;
    std::vector<Point> points;
    for (const std::string& level : options.words_or(kLevels, quick ? Words{kL2} : Words{kL2, kDram})) {
      Point question{name(), {{kLevel, level}, {kGroupsPerUnit, kGroupsOfUnit}}};
      question.parameters[kFootprint] =
          options[level == kL2 ? kL2Footprint : kDramFootprint].value_or(automatic_footprint(device, options.preset, level));
      require_execution_mode(question, options);
      for (const std::string& test : options[kTests]) {
        const bool by_stride = test == kStride;
        // Loads of 8 B lie between the others.
        const bool few = quick || (!by_stride && options.preset != Preset::full);
        question.parameters[kTest] = test;
        append(points, product(question, {{kWidth, numbers(options.words_or(kWidths, few ? Words{"4", "16"} : kWidths.choices))},
                                          {by_stride ? kStride : kMisalignment, [&](const Point& point) {
                                             const auto width = number(point, kWidth);
                                             return by_stride ? strides(options, width) : misalignments(quick, width);
                                           }}}));
      }
    }
    for (Point& point : points) {
      const LaneRow row = pattern_of(device, point).tiles.row;
      point.parameters[kAskedBytes] = row.asked_bytes();
      point.parameters[kSectorsBytes] = touched_bytes(row, kSectorBytes);
      point.parameters[kLinesBytes] = touched_bytes(row, kLineBytes);
    }
    return points;
  }

  std::optional<std::string> unsupported(const DeviceInfo& device, const Point& point) const override {
    const Pattern pattern = pattern_of(device, point);
    if (auto reason = wgp_mode_unsupported(device, point)) return reason;
    if (!device.buffer_addresses) return "the device has no buffer addresses";
    if (auto reason = offsets_unsupported(device, pattern.footprint)) return reason;
    if (auto reason = group_unsupported(device, kGroupLanes, pattern.subgroup_size)) return reason;
    if (pattern.groups > device.max_groups) return fmt::format("a dispatch has at most {} work-groups", device.max_groups);
    if (const std::uint64_t most = chase_capacity(device, "global"); pattern.footprint > most)
      return fmt::format("a buffer holds at most {}", format_bytes(most));
    if (pattern.turns() == 0)
      return fmt::format("{} is less than one tile of {}{}", format_bytes(pattern.footprint), format_bytes(pattern.tiles.bytes()),
                         pattern.is_dram ? fmt::format(" for each of {} work-groups", pattern.groups) : "");
    if (most_laps(device, pattern) == 0) return "a lap takes more loop iterations than the device executes";
    return std::nullopt;
  }

  Trial prepare(Device& device, const Point& point, std::uint64_t seed) const override {
    const DeviceInfo& info = device.info();
    const Pattern pattern = pattern_of(info, point);
    const LaneRow& row = pattern.tiles.row;
    const std::uint64_t invocations = std::uint64_t{pattern.groups} * kGroupLanes;
    const DataWords words(seed);
    const auto kernel =
        device.create(KernelDesc{.name = "access_pattern",
                                 .definitions = {{"LANES", std::to_string(row.lanes)}, {"WIDTH", std::to_string(row.width)}},
                                 .local_size = kGroupLanes,
                                 .bindings = {{"data", BindingKind::address}, {"out"}, {"stamps"}},
                                 .parameters = kAccessPatternParameters,
                                 .subgroup_size = pattern.subgroup_size});
    const auto data = device.create(BufferDesc{pattern.region_bytes()});
    const auto out = device.create(BufferDesc{invocations * sizeof(std::uint32_t)});
    const auto stamps = device.create(BufferDesc{pattern.groups * sizeof(GroupStamp)});

    Trial trial;
    trial.setup = fill(device, data, words);
    trial.timed.dispatch = {kernel,
                            {{data, nullptr}, {out, nullptr}, {stamps, nullptr}},
                            {{"laps", 0},
                             {"turns", static_cast<std::uint32_t>(pattern.turns())},
                             {"tiles", static_cast<std::uint32_t>(pattern.tile_count())},
                             {"step", static_cast<std::uint32_t>(pattern.step())},
                             {"pitch", pattern.vectors(pattern.tiles.pitch)},
                             {"stride", pattern.vectors(row.stride)},
                             {"shift", pattern.vectors(row.first)}},
                            pattern.groups};
    trial.timed.loops_parameter = "laps";
    trial.timed.ops_per_loop = pattern.turns() * kUnroll;
    trial.timed.turn = {{.path = MemoryPath::global, .kind = AccessKind::read, .width = row.width, .count = kUnroll}};
    trial.timed.max_loops = most_laps(info, pattern);
    trial.timed.verify = PatternCheck(pattern, words, out);
    trial.group_stamps = GroupStamps{stamps, 0, pattern.groups};
    trial.repeatable = true;
    trial.work = Work{.bytes_per_op = invocations * row.width, .group_bytes_per_op = std::uint64_t{kGroupLanes} * row.width};
    observe_execution(trial, device);
    return trial;
  }

 private:
  using Words = std::vector<std::string>;

  /// In words; only multiples of the width, so that lanes do not overlap and are aligned.
  static std::vector<std::uint64_t> strides(const Options& options, std::uint64_t width) {
    std::vector<std::uint64_t> all{1, 2, 4, 8, 16, 32};
    if (options.preset == Preset::full) all = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32};
    if (const auto wanted = options[kStrides]) all = {*wanted};
    std::erase_if(all, [&](std::uint64_t stride) { return stride * kWordBytes % width != 0; });
    if (all.empty() && !options[kWidths].empty())
      throw options.refusal(kStrides, fmt::format("access-pattern takes multiples of the width, {} bytes", width));
    return all;
  }

  static std::vector<std::uint64_t> misalignments(bool quick, std::uint64_t width) {
    std::vector<std::uint64_t> all{0, 4, 8, 16, 32, 64, kMostMisalignment};
    if (quick) all = {0, 4, 16, 32, 64};
    std::erase_if(all, [&](std::uint64_t bytes) { return bytes % width != 0; });
    return all;
  }
};

const RegisterExperiment registered(std::make_unique<AccessPattern>());

}  // namespace
}  // namespace percycle::access_pattern_experiment
