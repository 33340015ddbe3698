#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "core/configuration.hpp"
#include "core/error.hpp"
#include "core/units.hpp"
#include "experiments/bandwidth/parts/best_configuration.hpp"
#include "experiments/bandwidth/parts/busy_units.hpp"
#include "experiments/bandwidth/parts/unit_bandwidth.hpp"
#include "experiments/common/execution_mode.hpp"
#include "experiments/common/sweep.hpp"
#include "experiments/common/word_list.hpp"
#include "experiments/experiment.hpp"

namespace percycle::l1_bandwidth_experiment {
namespace {

constexpr const char* kChannelBits = "channel_bits";
constexpr const char* kChannelType = "channel_type";
constexpr const char* kFloat = "float";
constexpr std::int64_t kWordBits = 32;
constexpr std::int64_t kLoads = 32;  // of a lane per pass of the loop

/// On an H200 two groups of 256 nearly reach the peak. Plain loads of 4 bytes need as many
/// invocations as a unit holds.
std::vector<DispatchShape> shapes_for(Preset preset) {
  if (preset == Preset::quick) return {{256, 2}, {256, 8}};
  if (preset == Preset::standard) return {{256, 2}, {256, 4}, {256, 8}, {1024, 1}, {1024, 2}};
  return {{64, 8},  {64, 16}, {64, 32}, {128, 4}, {128, 8}, {128, 16}, {256, 1}, {256, 2},
          {256, 4}, {256, 8}, {512, 1}, {512, 2}, {512, 4}, {1024, 1}, {1024, 2}};
}

/// Loads of a lane per pass of the loop. Loop overhead matters most for 4-byte loads, which take
/// one scheduler cycle. An H200 reaches 98.9 % of the limit with 32 loads and 99.6 % with 128
/// through Vulkan, 99.1 % and 98.8 % through OpenCL.
std::vector<std::uint32_t> loads_for(Preset preset, const Point& question) {
  const bool narrow = word(question.parameters, "path") == "global" && word(question.parameters, "variant") == "plain" &&
                      integer(question.parameters, "width") == 4;
  if (!narrow || preset == Preset::quick) return {32};
  return preset == Preset::standard ? std::vector<std::uint32_t>{32, 128} : std::vector<std::uint32_t>{32, 64, 128};
}

std::size_t unrolls_for(Preset preset) { return preset == Preset::quick ? 1 : preset == Preset::standard ? 2 : 4; }

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
            "The same load on some of the units (test units) shows whether the clock falls if more of them are busy.",
        .metric = "load bandwidth: GB/s and bytes per unit and cycle",
        .operation = "load",
        .order = 210,
        .configuration = {"group_size", "groups_per_unit", "unroll", "loads"},
        .sizes = {"footprint"},
        .limits = {{.only = {{"path", "texture"}}, .quantity = Quantity::texel, .texel_bytes = "width"},
                   {.only = {{"path", "global"}}, .quantity = Quantity::load}},
        .below_full_rate = {{kBusyUnitsTest, kBusyUnits}},
        .curves = {busy_units_bandwidth_chart(name(), "the first cache"), busy_units_clock_chart(name(), "the first cache")},
        .bars = {{.y = {"bytes_per_unit_cycle", "gb_per_s"}, .without = {"stride", kBusyGroups}}},
        .place = HierarchyPlace::first_cache,
        .place_only = {{"path", "global"}},
        .leads = true,
        .summary = {{.line = "bandwidth", .name = "L1", .only = {{"path", "global"}}, .figure = "gb_per_s"},
                    {.line = "bandwidth", .name = "L1 by texture", .only = {{"path", "texture"}}, .figure = "gb_per_s"}},
        .ceilings = {{.level = "L1", .only = {{"path", "global"}, {"variant", "plain"}}, .roof = "L1"},
                     {.level = "L1", .only = {{"path", "texture"}, {"variant", "plain"}}}}};
  }

  std::vector<ParameterSpec> parameters() const override {
    using Type = ParameterSpec::Type;
    return {
        busy_units_parameter(),
        {"path", Type::words, {"global", "texture"}, "global,texture", "memory paths to read through"},
        {"width", Type::words, {"4", "8", "16"}, "4,8,16", "bytes that a lane loads at once, or bytes of a texel"},
        {kChannelBits,
         Type::words,
         {"32", "16", "8"},
         "auto",
         "bits of a channel of a texel; 16 and 8: with four channels, so 8 and 4 bytes; auto: 32 (full, or with "
         "channel_type=float: all)"},
        {kChannelType,
         Type::words,
         {"uint", kFloat},
         "uint",
         "numbers in channels of 16 and 8 bits: uint; float: halves of 16 bits, fractions of 255 of 8 bits"},
        {"variant",
         Type::words,
         {"plain", "masked"},
         "plain",
         "plain: the compiler knows the offsets; masked: each load has an index and a mask, to show their cost"},
        {"footprint", Type::bytes, {}, "4K", "bytes that all subgroups read again and again"},
        {"max_footprint", Type::bytes, {}, "auto", "sweep the footprint up to this size in doublings; auto: no sweep"},
        subgroup_size_parameter(),
        wgp_mode_parameter(),
    };
  }

  std::vector<Point> plan(const DeviceInfo& device, const Options& options, std::span<const PointResult> done) const override {
    std::vector<Point> points;
    if (measures_peak(options)) add_peaks(points, device, options, done);
    if (measures_busy_units(options)) add_busy_units(points, device, options);
    return points;
  }

  std::optional<std::string> unsupported(const DeviceInfo& device, const Point& point) const override {
    if (auto reason = wgp_mode_unsupported(device, point)) return reason;
    return unit_bandwidth_unsupported(device, config_of(device, point));
  }

  Trial prepare(Device& device, const Point& point, std::uint64_t seed) const override {
    Trial trial = unit_bandwidth_trial(device, config_of(device.info(), point), seed);
    apply_role(trial, point);
    lengthen_samples(trial, point);
    return trial;
  }

 private:
  void add_peaks(std::vector<Point>& points, const DeviceInfo& device, const Options& options,
                 std::span<const PointResult> done) const {
    for (const auto& path : word_list(options.value("path"))) {
      for (const auto& variant : word_list(options.value("variant"))) {
        for (const auto& width : word_list(options.value("width"))) {
          for (const auto& [bits, type] : channels(options, path, width)) {
            for (const std::uint64_t footprint : footprints(device, options, std::stoull(width))) {
              Point point{name(),
                          {{"path", path},
                           {"variant", variant},
                           {"width", std::stoll(width)},
                           {"footprint", static_cast<std::int64_t>(footprint)}}};
              if (bits != kWordBits) point.parameters[kChannelBits] = bits;
              if (bits != kWordBits && type == kFloat) point.parameters[kChannelType] = type;
              require_execution_mode(point, options);
              const auto some =
                  best_configurations(configurations(device, options.preset, point), done, best_count(options.preset));
              points.insert(points.end(), some.begin(), some.end());
            }
          }
        }
      }
    }
  }

  /// The widest load through each path.
  void add_busy_units(std::vector<Point>& points, const DeviceInfo& device, const Options& options) const {
    const std::int64_t width = widest_load(options);
    const std::uint64_t footprint = footprints(device, options, static_cast<std::uint64_t>(width)).front();
    const std::uint64_t rows = footprint / (row_lanes(device) * static_cast<std::uint64_t>(width));
    for (const auto& path : word_list(options.value("path"))) {
      const auto all = channels(options, path, std::to_string(width));
      if (std::ranges::find(all, kWordBits, &TexelChannel::bits) == all.end()) continue;
      Point question{name(),
                     {{"path", path},
                      {"variant", "plain"},
                      {"width", width},
                      {"footprint", static_cast<std::int64_t>(footprint)},
                      {"unroll", std::int64_t{possible_unrolls(rows, 1).front()}},
                      {"loads", kLoads}}};
      require_execution_mode(question, options);
      std::ranges::move(busy_units_points(*this, device, options, question), std::back_inserter(points));
    }
  }

  struct TexelChannel {
    std::int64_t bits = kWordBits;
    std::string type;  ///< kChannelType
  };

  /// The channels that elements of this path and width can have. Texels of 16 or 8 bits have four.
  /// The type of 32 bits makes no difference.
  static std::vector<TexelChannel> channels(const Options& options, const std::string& path, const std::string& width) {
    const std::string& wanted = options.value(kChannelBits);
    const auto types = word_list(options.value(kChannelType));
    const bool has_float = std::ranges::find(types, kFloat) != types.end();
    std::vector<TexelChannel> all;
    for (const auto& text : word_list(wanted != "auto"                              ? wanted
                                      : options.preset == Preset::full || has_float ? "32,16,8"
                                                                                    : "32")) {
      const std::int64_t bits = std::stoll(text);
      if (bits == kWordBits) {
        all.push_back({bits, types.front()});
      } else if (path == "texture" && 4 * bits == 8 * std::stoll(width)) {
        for (const auto& type : types) all.push_back({bits, type});
      }
    }
    return all;
  }

  /// Fewest bytes that a loop turn can read.
  static std::uint64_t granule(const DeviceInfo& device, std::uint64_t width) { return 4 * width * row_lanes(device); }

  static std::vector<std::uint64_t> footprints(const DeviceInfo& device, const Options& options, std::uint64_t width) {
    const std::uint64_t least = granule(device, width);
    const std::uint64_t first = parse_bytes(options.value("footprint"));
    const auto& last = options.value("max_footprint");
    if (first % least != 0) {
      throw UsageError(fmt::format("--set footprint={}: l1-bandwidth with {} B per lane reads multiples of {}",
                                   options.value("footprint"), width, format_bytes(least)));
    }
    if (last == "auto") return {first};
    if (parse_bytes(last) < first) {
      throw UsageError(fmt::format("--set max_footprint={}: it is below footprint={}", last, options.value("footprint")));
    }
    return octave_grid(first, parse_bytes(last), 1, least);
  }

  /// The question in each configuration; only one if the device supports none.
  std::vector<Point> configurations(const DeviceInfo& device, Preset preset, const Point& question) const {
    const auto footprint = static_cast<std::uint64_t>(integer(question.parameters, "footprint"));
    const auto width = static_cast<std::uint64_t>(integer(question.parameters, "width"));
    const std::uint64_t rows = footprint / (row_lanes(device) * width);
    std::vector<Point> points;
    for (const std::uint32_t unroll : possible_unrolls(rows, unrolls_for(preset))) {
      for (const std::uint32_t loads : loads_for(preset, question)) {
        if (loads > kMostPasses * unroll) continue;
        for (const auto& shape : possible_shapes(device, shapes_for(preset), required_subgroup_size(question))) {
          Point point = question;
          point.parameters["unroll"] = std::int64_t{unroll};
          point.parameters["loads"] = std::int64_t{loads};
          point.parameters["group_size"] = std::int64_t{shape.group_size};
          point.parameters["groups_per_unit"] = std::int64_t{shape.groups_per_unit};
          if (unsupported(device, point)) return {point};
          points.push_back(std::move(point));
        }
      }
    }
    return points;
  }

  static UnitBandwidth config_of(const DeviceInfo& device, const Point& point) {
    const auto number = [&](const char* name) { return static_cast<std::uint32_t>(integer(point.parameters, name)); };
    return {.path = word(point.parameters, "path"),
            .form = word(point.parameters, "variant"),
            .width = number("width"),
            .channel_bits = static_cast<std::uint32_t>(integer_or(point.parameters, kChannelBits, kWordBits)),
            .float_channels = point.parameters.contains(kChannelType),
            .rows = static_cast<std::uint64_t>(integer(point.parameters, "footprint")) /
                    (std::uint64_t{row_lanes(device)} * number("width")),
            .stride = 1,
            .group_size = number("group_size"),
            .groups_per_unit = static_cast<std::uint32_t>(integer_or(point.parameters, "groups_per_unit", 1)),
            .groups = busy_groups(point),
            .unroll = number("unroll"),
            .loads = number("loads"),
            .subgroup_size = required_subgroup_size(point)};
  }
};

const RegisterExperiment registered(std::make_unique<L1Bandwidth>());

}  // namespace
}  // namespace percycle::l1_bandwidth_experiment
