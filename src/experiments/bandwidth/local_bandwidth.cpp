#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "core/error.hpp"
#include "core/figures.hpp"
#include "experiments/bandwidth/parts/best_configuration.hpp"
#include "experiments/bandwidth/parts/busy_units.hpp"
#include "experiments/bandwidth/parts/stores.hpp"
#include "experiments/bandwidth/parts/unit_bandwidth.hpp"
#include "experiments/common/execution_mode.hpp"
#include "experiments/common/product.hpp"
#include "experiments/experiment.hpp"

namespace percycle::local_bandwidth_experiment {
namespace {

/// From few large groups to many small ones: the best differs by width and API.
std::vector<DispatchShape> shapes_for(Preset preset) {
  return by_preset<std::vector<DispatchShape>>(
      preset, {{256, 2}, {256, 8}}, {{128, 8}, {128, 16}, {256, 2}, {256, 4}, {256, 8}, {1024, 1}, {1024, 2}}, full_shapes());
}

std::vector<std::uint32_t> unrolls_for(Preset preset) {
  return by_preset<std::vector<std::uint32_t>>(preset, {8}, {8, 16}, {4, 8, 16, 32});
}

/// Strides for each number of busy banks, and odd strides, which use all banks.
std::vector<std::uint32_t> strides_for(Preset preset) {
  if (preset == Preset::quick) return {1, 2, 32};
  if (preset == Preset::standard) return {1, 2, 3, 4, 8, 16, 32, 33, 64};
  std::vector<std::uint32_t> all;
  for (std::uint32_t stride = 1; stride <= kMostStride; ++stride) all.push_back(stride);
  return all;
}

const WordsParameter kForms{
    "form", {"sweep", "strided", "chase"}, "sweep: bandwidth by width; strided: bandwidth by stride; chase: latency by stride"};
const WordsParameter kWidths{"width", {"4", "8", "16"}, "form sweep: bytes that a lane loads at once"};
const NumberParameter kStrides{"stride", "strided and chase: words from lane to lane, up to 64; auto: several (full: all)"};

/// Bandwidth at each width in the best configuration, and the cost of bank conflicts by stride of
/// 4-byte words: as bandwidth of a fixed configuration and as latency of a chase (T4 report,
/// section 3.6).
class LocalBandwidth final : public Experiment {
 public:
  std::string name() const override { return "local-bandwidth"; }
  Presentation presentation() const override {
    return {.title = "Bandwidth of local memory",
            .question = "How many bytes does a unit's local memory deliver per cycle, and what do bank conflicts cost?",
            .method =
                "Every work-group loads its local memory in a loop. "
                "Its lanes load adjacent words (sweep) or words a stride apart (strided, chase). "
                "If the words of several lanes lie in one bank, the unit serves these lanes one after the other. "
                "Stores and copies (operation) have adjacent words, and a copy stays in local memory. "
                "The sweep on some of the units (test units) shows whether the clock falls if more of them are busy.",
            .metric =
                "bandwidth: GB/s and bytes per unit and cycle; a copy counts the bytes that it reads and writes; form chase: "
                "load-to-use latency in ns and cycles",
            .operation = "load",
            .order = 220,
            .configuration = {"group_size", "groups_per_unit", "unroll"},
            .limits = {{.without = kOperation, .quantity = Quantity::local}},
            .below_full_rate = {{kBusyUnitsTest, kBusyUnits}},
            .curves = {{.name = "local-bandwidth-stride",
                        .title = "Bank conflicts: bandwidth of local memory by stride",
                        .only = {{"form", "strided"}},
                        .x = "stride",
                        .x_title = "stride in words",
                        .y = {figures::kBytesPerUnitCycle, figures::kGbPerS}},
                       {.name = "local-latency-stride",
                        .title = "Bank conflicts: latency of local memory by stride",
                        .only = {{"form", "chase"}},
                        .x = "stride",
                        .x_title = "stride in words",
                        .y = {figures::kCyclesPerOp, figures::kNsPerOp}},
                       busy_units_bandwidth_chart(name(), "local memory"),
                       busy_units_clock_chart(name(), "local memory")},
            .bars = {{.y = {figures::kBytesPerUnitCycle, figures::kGbPerS}, .without = {"stride", kBusyGroups}}},
            .place = HierarchyPlace::local_memory,
            .place_only = {{"form", "sweep"}},
            .summary = {{.line = "bandwidth",
                         .only = {{"form", "sweep"}},
                         .figure = figures::kGbPerS,
                         .key = "local memory",
                         .words = "bandwidth of local memory",
                         .per_unit = true}},
            .ceilings = {{.level = "local memory", .only = {{"form", "sweep"}}, .roof = "local memory"}}};
  }

  std::vector<ParameterSpec> parameters() const override {
    return {kBusyUnitsTests, kOperations, kForms, kWidths, kStrides, kSubgroupSize, kWgpMode};
  }

  std::vector<Point> plan(const DeviceInfo& device, const Options& options, std::span<const PointResult> done) const override {
    std::vector<Point> points;
    for (const std::string& form : options[kForms]) {
      if (!measures_reads(options)) break;
      Point point{name(), {{"form", form}}};
      require_execution_mode(point, options);
      if (form != "sweep") {
        if (measures_peak(options)) add_strides(points, device, options, point);
        continue;
      }
      if (measures_peak(options)) add_sweeps(points, device, options, point, done);
      if (measures_busy_units(options)) add_busy_units(points, device, options, point);
    }
    if (options.has(kForms, "sweep") && measures_peak(options)) add_stores(points, device, options, done);
    if (points.empty() && !measures_reads(options))
      throw UsageError(
          fmt::format("--set operation={}: local-bandwidth stores with test=peak and form=sweep", options.text(kOperations)));
    if (points.empty()) throw UsageError("--set test=units: local-bandwidth does it with --set form=sweep");
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
  void add_sweeps(std::vector<Point>& points, const DeviceInfo& device, const Options& options, const Point& question,
                  std::span<const PointResult> done) const {
    for (const Point& each : product(question, {{"width", numbers(options[kWidths])}})) {
      auto all = product(each, {{"unroll", unrolls_for(options.preset)}, shape_axis(device, shapes_for(options.preset))});
      // The first configuration has the fewest rows. If it is unsupported, all are; one point
      // reports it.
      if (unsupported(device, all.front())) all.resize(1, all.front());
      append(points, best_configurations(all, done, best_count(options.preset)));
    }
  }

  /// Stores and copies, in the best of few shapes. Their points name no form.
  void add_stores(std::vector<Point>& points, const DeviceInfo& device, const Options& options,
                  std::span<const PointResult> done) const {
    Point first{name(), {}};
    require_execution_mode(first, options);
    for (const Point& question : product(first, {{kOperation, store_operations(options)}, {"width", numbers(options[kWidths])}}))
      append(points, searched(*this, device, question,
                              {{{"unroll", unrolls_for(Preset::quick)}, shape_axis(device, shapes_for(Preset::quick))}}, done));
  }

  void add_busy_units(std::vector<Point>& points, const DeviceInfo& device, const Options& options, Point question) const {
    question.parameters["width"] = std::ranges::max(numbers(options[kWidths]));
    question.parameters["unroll"] = unrolls_for(options.preset).front();
    append(points, busy_units_points(*this, device, options, question));
  }

  void add_strides(std::vector<Point>& points, const DeviceInfo& device, const Options& options, Point question) const {
    const auto wanted = options[kStrides];
    if (wanted && *wanted > kMostStride)
      throw options.refusal(kStrides, fmt::format("local-bandwidth takes strides up to {}", kMostStride));
    question.parameters["width"] = 4;
    std::vector<Axis> axes{{"stride", wanted ? std::vector{*wanted} : strides_for(options.preset)}};
    if (word(question, "form") != "chase") {
      axes.emplace_back("unroll", std::vector{8});
      axes.push_back(shape_axis(device, {{256, 4}}));
    }
    append(points, product(question, axes));
  }

  static Stores stores_of(const DeviceInfo& device, const Point& point) {
    const std::uint32_t width = number<std::uint32_t>(point, "width");
    const std::uint32_t unroll = number<std::uint32_t>(point, "unroll");
    return {.copies = word(point, kOperation) == kCopyOperation,
            .local = true,
            .width = width,
            .region_bytes = std::uint64_t{row_lanes(device)} * unroll * width,
            .tile_lanes = row_lanes(device),
            .unroll = unroll,
            .groups = group_count(device, {.groups_per_unit = number<std::uint32_t>(point, "groups_per_unit")}),
            .group_size = number<std::uint32_t>(point, "group_size"),
            .subgroup_size = required_subgroup_size(point)};
  }

  static UnitBandwidth config_of(const DeviceInfo& device, const Point& point) {
    const bool chase = word(point, "form") == "chase";
    const std::uint32_t unroll = number_or(point, "unroll", 1u);
    return {.path = "local",
            .form = chase ? "chase" : "plain",
            .width = number_or(point, "width", 4u),
            .rows = unroll,
            .stride = number_or(point, "stride", 1u),
            .group_size = number_or(point, "group_size", row_lanes(device)),
            .groups_per_unit = number_or(point, "groups_per_unit", 1u),
            .groups = busy_groups(point),
            .unroll = unroll,
            .subgroup_size = required_subgroup_size(point)};
  }
};

const RegisterExperiment registered(std::make_unique<LocalBandwidth>());

}  // namespace
}  // namespace percycle::local_bandwidth_experiment
