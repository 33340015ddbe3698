#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "core/figures.hpp"
#include "experiments/arithmetic/parts/instruction_stream.hpp"
#include "experiments/arithmetic/parts/matrix_stream.hpp"
#include "experiments/bandwidth/parts/best_configuration.hpp"
#include "experiments/common/execution_mode.hpp"
#include "experiments/experiment.hpp"

namespace percycle::matrix_throughput_experiment {
namespace {

constexpr const char* kType = "type";
constexpr const char* kShape = "shape";
constexpr const char* kScope = "scope";
constexpr const char* kChains = "chains";
constexpr const char* kSubgroups = "subgroups";

std::string type_text(const MatrixShape& shape) { return shape.factors + '-' + shape.sums; }
std::string shape_text(const MatrixShape& shape) { return fmt::format("{}x{}x{}", shape.rows, shape.columns, shape.depth); }

Parameters parameters_of(const MatrixShape& shape) {
  Parameters parameters{{kType, type_text(shape)}, {kShape, shape_text(shape)}};
  if (shape.invocations) parameters[kScope] = fmt::format("work-group-{}", *shape.invocations);
  return parameters;
}

/// The shape that the point names; an empty one if the device offers none.
MatrixShape shape_of(const DeviceInfo& device, const Point& point) {
  const auto found = std::ranges::find_if(device.matrix_shapes, [&](const MatrixShape& shape) {
    const Parameters wanted = parameters_of(shape);
    return std::ranges::all_of(std::array{kType, kShape, kScope}, [&](const char* name) {
      const std::string* word = find_word(point.parameters, name);
      return word == nullptr ? !wanted.contains(name) : has_word(wanted, name, *word);
    });
  });
  return found == device.matrix_shapes.end() ? MatrixShape{} : *found;
}

std::vector<LimitRule> limits() {
  const std::vector<std::pair<Quantity, std::vector<const char*>>> bounds{
      {Quantity::matrix_fp16, {"fp16-fp32", "fp16-fp16", "bf16-fp32"}},
      {Quantity::matrix_tf32, {"tf32-fp32"}},
      {Quantity::matrix_fp64, {"fp64-fp64"}},
      {Quantity::matrix_fp8, {"fp8_e4m3-fp32", "fp8_e5m2-fp32"}},
      {Quantity::matrix_int8, {"sint8-sint32", "uint8-uint32"}}};
  std::vector<LimitRule> rules;
  for (const auto& [quantity, types] : bounds) {
    for (const char* type : types) rules.push_back({.only = {{kType, type}}, .quantity = quantity});
  }
  return rules;
}

std::vector<ValueWords> chart_words() {
  std::vector<ValueWords> words{{kShape, "", "tiles of {}"},
                                {kType, "bf16-fp32", "BF16 with FP32 sums"},
                                {kType, "fp16-fp16", "FP16"},
                                {kType, "fp16-fp32", "FP16 with FP32 sums"},
                                {kType, "fp32-fp32", "FP32"},
                                {kType, "fp64-fp64", "FP64"},
                                {kType, "sint8-sint32", "INT8 with INT32 sums"},
                                {kType, "tf32-fp32", "TF32 with FP32 sums"},
                                {kType, "uint8-uint32", "UINT8 with UINT32 sums"}};
  for (const int lanes : {32, 64, 128, 256, 512, 1024})
    words.push_back({kScope, fmt::format("work-group-{}", lanes), fmt::format("by work-groups of {}", lanes)});
  return words;
}

class MatrixThroughput final : public Experiment {
 public:
  std::string name() const override { return "matrix-throughput"; }

  Presentation presentation() const override {
    return {.title = "Throughput of matrix products",
            .question = "How many operations do a unit's matrix engines do per cycle, and which instruction does them?",
            .method =
                "Subgroups, or whole work-groups, add products of two matrices to independent sums that stay in registers. "
                "The matrices hold small hashed integers, so results are exact, and the host checks every element. "
                "A search over the numbers of sums and subgroups finds the highest rate. "
                "The machine code names the instruction that multiplies.",
            .metric = "rate of operations (a multiply-add is two): 1e9 per second, and per unit and cycle",
            .operation = "operation",
            .order = 425,
            .configuration = {kChains, kSubgroups},
            .sizes = {kSubgroups},
            .limits = limits(),
            // Documents state rates per second only.
            .bars = {{.y = {figures::kOpsPerUnitCycle}}, {.name = "per-second", .y = {figures::kGopsPerS}}},
            .grids = {{.name = "matrix-parallelism",
                       .title = "Operations per unit and cycle by sums and subgroups",
                       .x = kSubgroups,
                       .x_title = "subgroups of a unit",
                       .y = kChains,
                       .y_title = "independent sums of a subgroup",
                       .figures = {figures::kOpsPerUnitCycle, figures::kGopsPerS}}},
            .words = chart_words(),
            .summary = {{.line = kExecutionLine,
                         .only = {{kType, "fp16-fp32"}},
                         .figure = figures::kGopsPerS,
                         .key = "matrix fp16",
                         .words = "rate of FP16 matrix products with FP32 sums"}},
            .further = {{.line = kExecutionLine,
                         .only = {{kType, "bf16-fp32"}},
                         .figure = figures::kGopsPerS,
                         .key = "matrix bf16",
                         .words = "rate of BF16 matrix products with FP32 sums"},
                        {.line = kExecutionLine,
                         .only = {{kType, "sint8-sint32"}},
                         .figure = figures::kGopsPerS,
                         .key = "matrix int8",
                         .words = "rate of INT8 matrix products"}},
            .ceilings = {{.level = "matrix", .only = {{kType, "fp16-fp32"}}, .roof = "matrix fp16"},
                         {.level = "matrix", .only = {{kType, "bf16-fp32"}}, .roof = "matrix bf16", .in_chart = false},
                         {.level = "matrix", .only = {{kType, "fp32-fp32"}}, .roof = "matrix fp32", .in_chart = false},
                         {.level = "matrix", .only = {{kType, "fp64-fp64"}}, .roof = "matrix fp64", .in_chart = false},
                         {.level = "matrix", .only = {{kType, "sint8-sint32"}}, .roof = "matrix int8", .in_chart = false},
                         {.level = "matrix"}}};
  }

  std::vector<ParameterSpec> parameters() const override { return {kSubgroupSize, kWgpMode}; }

  std::vector<Point> plan(const DeviceInfo& device, const Options& options, std::span<const PointResult> done) const override {
    std::vector<Point> points;
    if (device.matrix_shapes.empty()) points.push_back({name(), {{kType, std::string("fp16-fp32")}}});
    for (const MatrixShape& shape : device.matrix_shapes) {
      Point point{name(), parameters_of(shape)};
      require_execution_mode(point, options);
      append(points, searched(*this, device, point, search(device, options.preset, point), done));
    }
    return points;
  }

  std::optional<std::string> unsupported(const DeviceInfo& device, const Point& point) const override {
    if (auto reason = wgp_mode_unsupported(device, point)) return reason;
    if (device.matrix_shapes.empty()) return matrices_missing(device);
    return matrix_stream_unsupported(device, stream_of(device, point));
  }

  Trial prepare(Device& device, const Point& point, std::uint64_t /*seed*/) const override {
    Trial trial = matrix_stream_trial(device, stream_of(device.info(), point));
    apply_role(trial, point);
    return trial;
  }

 private:
  static Search search(const DeviceInfo& device, Preset preset, const Point& question) {
    using Counts = std::vector<std::int64_t>;
    const bool by_group = shape_of(device, question).invocations.has_value();
    const Counts chains = by_group ? Counts{1} : preset == Preset::quick ? Counts{4} : Counts{1, 2, 4, 8};
    return {{{kChains, chains}, {kSubgroups, subgroup_counts(device, preset, question)}}, best_count(preset)};
  }

  static std::optional<std::uint32_t> subgroup_size_of(const DeviceInfo& device, const Point& point) {
    const auto required = required_subgroup_size(point);
    return required ? required : matrix_subgroup_size(device, shape_of(device, point));
  }

  static std::int64_t subgroups_of_group(const DeviceInfo& device, const Point& point) {
    return subgroups_of_matrix_group(device, shape_of(device, point), subgroup_size_of(device, point));
  }

  /// From one subgroup to two full work-groups; up to four work-groups that multiply together.
  static std::vector<std::int64_t> subgroup_counts(const DeviceInfo& device, Preset preset, const Point& question) {
    const std::int64_t most = subgroups_of_group(device, question);
    if (shape_of(device, question).invocations) {
      if (preset == Preset::quick) return {2 * most};
      return {most, 2 * most, 4 * most};
    }
    std::vector<std::int64_t> counts;
    for (std::int64_t count = preset == Preset::quick ? most : 1; count < most; count *= 2) counts.push_back(count);
    counts.push_back(most);
    if (preset != Preset::quick) counts.push_back(2 * most);
    return counts;
  }

  static MatrixStream stream_of(const DeviceInfo& device, const Point& point) {
    const auto subgroup_size = subgroup_size_of(device, point);
    const auto of_group = static_cast<std::uint32_t>(subgroups_of_group(device, point));
    return {.shape = shape_of(device, point),
            .chains = number_or(point, kChains, 1u),
            .subgroups = number_or(point, kSubgroups, 1u),
            .group_size = of_group * stream_lanes(device, subgroup_size),
            .subgroup_size = subgroup_size};
  }
};

const RegisterExperiment registered(std::make_unique<MatrixThroughput>());

}  // namespace
}  // namespace percycle::matrix_throughput_experiment
