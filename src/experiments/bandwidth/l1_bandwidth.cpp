#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "core/configuration.hpp"
#include "core/error.hpp"
#include "core/figures.hpp"
#include "core/units.hpp"
#include "experiments/bandwidth/parts/best_configuration.hpp"
#include "experiments/bandwidth/parts/busy_units.hpp"
#include "experiments/bandwidth/parts/stores.hpp"
#include "experiments/bandwidth/parts/unit_bandwidth.hpp"
#include "experiments/common/execution_mode.hpp"
#include "experiments/common/product.hpp"
#include "experiments/common/sweep.hpp"
#include "experiments/experiment.hpp"

namespace percycle::l1_bandwidth_experiment {
namespace {

constexpr const char* kChannelBits = "channel_bits";
constexpr const char* kChannelType = "channel_type";
constexpr const char* kFloat = "float";
constexpr std::uint32_t kWordBits = 32;
constexpr std::uint32_t kLoads = 32;  // of a lane per pass of the loop

/// On an H200 two groups of 256 nearly reach the peak. Plain loads of 4 bytes need as many
/// invocations as a unit holds.
std::vector<DispatchShape> shapes_for(Preset preset) {
  return by_preset<std::vector<DispatchShape>>(preset, {{256, 2}, {256, 8}}, {{256, 2}, {256, 4}, {256, 8}, {1024, 1}, {1024, 2}},
                                               full_shapes());
}

/// Loads of a lane per pass of the loop. Loop overhead matters most for 4-byte loads, which take
/// one scheduler cycle. An H200 reaches 98.9 % of the limit with 32 loads and 99.6 % with 128
/// through Vulkan, 99.1 % and 98.8 % through OpenCL.
std::vector<std::uint32_t> loads_for(Preset preset, const Point& question) {
  const bool narrow =
      word(question, "path") == "global" && word(question, "variant") == "plain" && number(question, "width") == 4;
  if (!narrow) return {32};
  return by_preset<std::vector<std::uint32_t>>(preset, {32}, {32, 128}, {32, 64, 128});
}

const WordsParameter kPaths{"path", {"global", "texture"}, "memory paths to read through"};
const WordsParameter kWidths{"width", {"4", "8", "16"}, "bytes that a lane loads at once, or bytes of a texel"};
const WordsParameter kAllChannelBits{
    kChannelBits,
    {"32", "16", "8"},
    ParameterSpec::kAutomatic,
    "bits of a channel of a texel; 16 and 8: with four channels, so 8 and 4 bytes; auto: 32 (full, or with channel_type=float: "
    "all)"};
const WordsParameter kChannelTypes{
    kChannelType,
    {"uint", kFloat},
    "uint",
    "numbers in channels of 16 and 8 bits: uint; float: halves of 16 bits, fractions of 255 of 8 bits"};
const WordsParameter kVariants{
    "variant",
    {"plain", "masked"},
    "plain",
    "plain: the compiler knows the offsets; masked: each load has an index and a mask, to show their cost"};
const BytesParameter kFootprint{"footprint", "bytes that all subgroups read again and again", "4K"};
const BytesParameter kMaxFootprint{"max_footprint", "sweep the footprint up to this size in doublings; auto: no sweep"};

/// The method of Chips and Cheese, "A New Year and New Tests: GPU L1 Cache Bandwidth", without a
/// mask per load.
class L1Bandwidth final : public Experiment {
 public:
  std::string name() const override { return "l1-bandwidth"; }
  Presentation presentation() const override {
    return {
        .title = "Bandwidth of the first cache",
        .question =
            "How many bytes does a unit's first-level cache deliver per cycle, through plain loads and through texel buffers?",
        .method =
            "Every unit loads the same few lines again and again. "
            "A search finds the best configuration of work-groups and loads. "
            "Bytes per unit and cycle come from the counters of the units, read in the timed kernel. "
            "If the first cache writes through, `operation=write` gives the rate at which a unit stores. "
            "The same load on some of the units (test units) shows whether the clock falls if more of them are busy.",
        .metric = "bandwidth: GB/s and bytes per unit and cycle; a copy counts the bytes that it reads and writes",
        .operation = "load",
        .order = 210,
        .configuration = {"group_size", "groups_per_unit", "unroll", "loads"},
        .sizes = {"footprint"},
        .limits = {{.only = {{"path", "texture"}}, .quantity = Quantity::texel, .texel_bytes = "width"},
                   {.only = {{"path", "global"}}, .quantity = Quantity::load}},
        .below_full_rate = {{kBusyUnitsTest, kBusyUnits}},
        .curves = {busy_units_bandwidth_chart(name(), "the first cache"), busy_units_clock_chart(name(), "the first cache")},
        .bars = {{.y = {figures::kBytesPerUnitCycle, figures::kGbPerS}, .without = {"stride", kBusyGroups}}},
        .place = HierarchyPlace::first_cache,
        .place_only = {{"path", "global"}},
        .leads = true,
        .summary = {{.line = "bandwidth",
                     .only = {{"path", "global"}},
                     .figure = figures::kGbPerS,
                     .key = "L1",
                     .words = "bandwidth of the L1",
                     .per_unit = true},
                    {.line = "bandwidth",
                     .only = {{"path", "texture"}},
                     .figure = figures::kGbPerS,
                     .key = "texture path",
                     .words = "bandwidth of the texture path",
                     .per_unit = true}},
        .ceilings = {{.level = "L1", .only = {{"path", "global"}, {"variant", "plain"}}, .roof = "L1"},
                     {.level = "L1", .only = {{"path", "texture"}, {"variant", "plain"}}}}};
  }

  std::vector<ParameterSpec> parameters() const override {
    return {kBusyUnitsTests, kOperations, kPaths,        kWidths,       kAllChannelBits, kChannelTypes,
            kVariants,       kFootprint,  kMaxFootprint, kSubgroupSize, kWgpMode};
  }

  std::vector<Point> plan(const DeviceInfo& device, const Options& options, std::span<const PointResult> done) const override {
    std::vector<Point> points;
    if (measures_peak(options) && measures_reads(options)) add_peaks(points, device, options, done);
    if (measures_peak(options)) add_stores(points, device, options, done);
    if (measures_busy_units(options) && measures_reads(options)) add_busy_units(points, device, options);
    if (points.empty())
      throw UsageError(
          fmt::format("--set operation={}: l1-bandwidth stores with test=peak and path=global", options.text(kOperations)));
    return points;
  }

  std::optional<std::string> unsupported(const DeviceInfo& device, const Point& point) const override {
    if (auto reason = wgp_mode_unsupported(device, point)) return reason;
    if (is_store(point)) return stores_unsupported(device, stores_of(device, point));
    return unit_bandwidth_unsupported(device, config_of(device, point));
  }

  Trial prepare(Device& device, const Point& point, std::uint64_t seed) const override {
    Trial trial = is_store(point) ? stores_trial(device, stores_of(device.info(), point), seed)
                                  : unit_bandwidth_trial(device, config_of(device.info(), point), seed);
    apply_role(trial, point);
    lengthen_samples(trial, point);
    return trial;
  }

 private:
  void add_peaks(std::vector<Point>& points, const DeviceInfo& device, const Options& options,
                 std::span<const PointResult> done) const {
    const auto sizes = [&](const Point& point) { return footprints(device, options, number(point, "width")); };
    Point first{name(), {}};
    require_execution_mode(first, options);
    for (const Point& question : product(first, {{"path", options[kPaths]},
                                                 {"variant", options[kVariants]},
                                                 {"width", numbers(options[kWidths])},
                                                 channels(options),
                                                 {"footprint", sizes}}))
      append(points, searched(*this, device, question, search(device, options.preset, question), done));
  }

  /// Stores and copies, in the best of few shapes. Their points name no path.
  void add_stores(std::vector<Point>& points, const DeviceInfo& device, const Options& options,
                  std::span<const PointResult> done) const {
    const bool words = options[kAllChannelBits].empty() || options.has(kAllChannelBits, "32");
    if (!options.has(kPaths, "global") || !options.has(kVariants, "plain") || !words) return;
    Point first{name(), {}};
    require_execution_mode(first, options);
    for (Point& question : product(first, {{kOperation, store_operations(options)}, {"width", numbers(options[kWidths])}})) {
      question.parameters["footprint"] = footprints(device, options, number(question, "width")).front();
      const auto unrolls = possible_unrolls(rows_of(device, question), 1);
      append(points,
             searched(*this, device, question, {{{"unroll", unrolls}, shape_axis(device, shapes_for(Preset::quick))}}, done));
    }
  }

  /// The widest load through each path.
  void add_busy_units(std::vector<Point>& points, const DeviceInfo& device, const Options& options) const {
    const auto width = static_cast<std::uint64_t>(std::ranges::max(numbers(options[kWidths])));
    const std::uint64_t footprint = footprints(device, options, width).front();
    const std::uint64_t rows = footprint / (row_lanes(device) * width);
    for (const std::string& path : options[kPaths]) {
      Point question{name(), {{"path", path}, {"variant", "plain"}, {"width", width}}};
      const std::vector<Point> all = product(question, {channels(options)});
      if (std::ranges::find(all, question) == all.end()) continue;
      question.parameters["footprint"] = footprint;
      question.parameters["unroll"] = possible_unrolls(rows, 1).front();
      question.parameters["loads"] = kLoads;
      require_execution_mode(question, options);
      append(points, busy_units_points(*this, device, options, question));
    }
  }

  /// The channels that elements of a path and width can have. Texels of 16 or 8 bits have four. A
  /// point with channels of 32 bits does not name them: their type makes no difference.
  static Axis channels(const Options& options) {
    const bool all = options.preset == Preset::full || options.has(kChannelTypes, kFloat);
    const auto bits_of =
        numbers(options.words_or(kAllChannelBits, all ? kAllChannelBits.choices : std::vector<std::string>{"32"}));
    return Axis([bits_of, types = options[kChannelTypes]](const Point& point) {
      std::vector<Parameters> lists;
      for (const std::int64_t bits : bits_of) {
        if (bits == kWordBits) lists.emplace_back();
        if (bits == kWordBits || word(point, "path") != "texture" || 4 * bits != 8 * number<std::int64_t>(point, "width"))
          continue;
        for (const std::string& type : types) {
          lists.push_back({{kChannelBits, bits}});
          if (type == kFloat) lists.back()[kChannelType] = type;
        }
      }
      return lists;
    });
  }

  /// Fewest bytes that a loop turn can read.
  static std::uint64_t granule(const DeviceInfo& device, std::uint64_t width) { return 4 * width * row_lanes(device); }

  static std::vector<std::uint64_t> footprints(const DeviceInfo& device, const Options& options, std::uint64_t width) {
    const std::uint64_t least = granule(device, width);
    const std::uint64_t first = options[kFootprint].value_or(4 * kKiB);
    if (first % least != 0)
      throw options.refusal(kFootprint,
                            fmt::format("l1-bandwidth with {} B per lane reads multiples of {}", width, format_bytes(least)));
    const std::uint64_t last = options[kMaxFootprint].value_or(first);
    if (last < first) throw options.refusal(kMaxFootprint, "it is below footprint=" + options.text(kFootprint));
    return options[kMaxFootprint] ? octave_grid(first, last, 1, least) : std::vector{first};
  }

  static std::uint64_t rows_of(const DeviceInfo& device, const Point& point) {
    return number(point, "footprint") / (row_lanes(device) * number(point, "width"));
  }

  static Search search(const DeviceInfo& device, Preset preset, const Point& question) {
    const std::uint64_t rows = rows_of(device, question);
    const auto loads = [preset](const Point& point) {
      auto all = loads_for(preset, point);
      std::erase_if(all, [&](std::uint32_t each) { return each > kMostPasses * number<std::uint32_t>(point, "unroll"); });
      return all;
    };
    const std::size_t unrolls = by_preset<std::size_t>(preset, 1, 2, 4);
    return {{{"unroll", possible_unrolls(rows, unrolls)}, {"loads", loads}, shape_axis(device, shapes_for(preset))},
            best_count(preset)};
  }

  static Stores stores_of(const DeviceInfo& device, const Point& point) {
    return {.copies = word(point, kOperation) == kCopyOperation,
            .width = number<std::uint32_t>(point, "width"),
            .region_bytes = number(point, "footprint"),
            .tile_lanes = row_lanes(device),
            .unroll = number<std::uint32_t>(point, "unroll"),
            .groups = group_count(device, {.groups_per_unit = number<std::uint32_t>(point, "groups_per_unit")}),
            .group_size = number<std::uint32_t>(point, "group_size"),
            .subgroup_size = required_subgroup_size(point)};
  }

  static UnitBandwidth config_of(const DeviceInfo& device, const Point& point) {
    return {.path = word(point, "path"),
            .form = word(point, "variant"),
            .width = number<std::uint32_t>(point, "width"),
            .channel_bits = number_or(point, kChannelBits, kWordBits),
            .float_channels = point.parameters.contains(kChannelType),
            .rows = rows_of(device, point),
            .stride = 1,
            .group_size = number<std::uint32_t>(point, "group_size"),
            .groups_per_unit = number_or(point, "groups_per_unit", 1u),
            .groups = busy_groups(point),
            .unroll = number<std::uint32_t>(point, "unroll"),
            .loads = number<std::uint32_t>(point, "loads"),
            .subgroup_size = required_subgroup_size(point)};
  }
};

const RegisterExperiment registered(std::make_unique<L1Bandwidth>());

}  // namespace
}  // namespace percycle::l1_bandwidth_experiment
