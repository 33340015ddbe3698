#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/figures.hpp"
#include "experiments/arithmetic/parts/instruction_stream.hpp"
#include "experiments/bandwidth/parts/best_configuration.hpp"
#include "experiments/common/execution_mode.hpp"
#include "experiments/common/optimization.hpp"
#include "experiments/common/product.hpp"
#include "experiments/common/sweep.hpp"
#include "experiments/experiment.hpp"

namespace percycle::arithmetic_throughput_experiment {
namespace {

constexpr const char* kOperation = "operation";
constexpr const char* kBeside = "beside";
constexpr const char* kChains = "chains";
constexpr const char* kWidth = "width";
constexpr const char* kSubgroups = "subgroups";
constexpr const char* kAutomatic = ParameterSpec::kAutomatic;

constexpr std::array kQuick{"fp32-fma", "fp64-fma", "int32-mad", "fp32-rsqrt-fast"};
constexpr std::array kStandard{"fp32-fma",        "fp32-add",      "fp32-mul",     "fp64-fma",      "fp16x2-fma",
                               "int32-add",       "int32-logic",   "int32-mad",    "int64-add",     "int32-popc",
                               "fp32-rsqrt-fast", "int32-to-fp32", "fp32-fma-xyz", "fp32-fma-xcc",  "fp32-fma-xxx",
                               "fp64-fma-xyz",    "fp64-fma-xcc",  "fp64-fma-xxx", "int32-mad-xcc", "int32-mad-xxx",
                               "bf16x2-fma",      "int16x2-mad",   "int8-mad",     "int32-dot4",    "int32-add-uniform"};

/// Two operations that take turns: on different execution units both keep their rates.
struct Mix {
  const char* name;
  const char* operation;
  const char* partner;
};
constexpr std::array kMixes{
    Mix{"fp32-fma+int32-add", "fp32-fma", "int32-add"}, Mix{"fp32-fma+fp32-rsqrt-fast", "fp32-fma", "fp32-rsqrt-fast"},
    Mix{"int32-mad+int32-add", "int32-mad", "int32-add"}, Mix{"int32-add-uniform+fp32-fma", "int32-add-uniform", "fp32-fma"}};

constexpr std::uint32_t kLargestGroup = 1024;
constexpr std::uint32_t kVectorChains = 8;
constexpr std::array kWidths{2u, 4u};

/// Operators and fma, which take vectors, too. Their turns go on from each other.
constexpr std::array kVectorOperations{"fp32-fma", "fp32-add",  "fp32-sub",  "fp32-mul",    "fp64-fma",  "fp64-add",
                                       "fp64-mul", "int32-add", "int32-sub", "int32-logic", "int32-mad", "int32-mul"};
constexpr std::uint32_t kSubgroupsOfCpu = 2;

template <typename List>
bool has(const List& list, const std::string& name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

/// A question about an operation or about two.
struct RateQuestion {
  std::string name;
  Parameters parameters;
  Preset from;  ///< the first preset that measures it
};

std::vector<RateQuestion> all_questions() {
  std::vector<RateQuestion> all;
  for (const char* name : kStandard)
    all.push_back({name, {{kOperation, name}}, has(kQuick, name) ? Preset::quick : Preset::standard});
  for (const Mix& mix : kMixes)
    all.push_back({mix.name, {{kOperation, mix.operation}, {kBeside, mix.partner}}, Preset::standard});
  for (const StreamOperation& operation : stream_operations()) {
    const std::string& name = operation.chain.name;
    if (!has(kStandard, name)) all.push_back({name, {{kOperation, name}}, Preset::full});
  }
  return all;
}

std::vector<std::string> operation_words() {
  std::vector<std::string> names{kAutomatic};
  for (const RateQuestion& question : all_questions()) names.push_back(question.name);
  return names;
}

const WordsParameter kOperations{
    kOperation, operation_words(), kAutomatic,
    fmt::format("operations, and pairs that take turns; auto: a few (quick), the first {} of these (standard), all (full)",
                kStandard.size() + kMixes.size())};

const StreamOperation* operation_called(const Point& point, const char* parameter) {
  const std::string& name = word(point, parameter);
  const StreamOperation* operation = find_stream_operation(name);
  if (operation == nullptr) throw UsageError("no such operation: " + to_string(point));
  return operation;
}

/// Subgroups of a unit in one work-group; twice as many are in two of them.
std::uint32_t subgroups_of_group(const DeviceInfo& device, std::optional<std::uint32_t> subgroup_size) {
  const std::uint32_t lanes = stream_lanes(device, subgroup_size);
  const std::uint32_t most = std::max(std::min(kLargestGroup, largest_group(device, subgroup_size)) / lanes, 1u);
  return device.type == DeviceType::cpu ? std::min(most, kSubgroupsOfCpu) : most;
}

/// From one subgroup to as many as a unit holds: two of the largest work-groups fill it.
std::vector<std::uint32_t> subgroup_counts(const DeviceInfo& device, Preset preset, std::optional<std::uint32_t> subgroup_size) {
  const std::uint32_t most = subgroups_of_group(device, subgroup_size);
  std::vector<std::uint32_t> counts;
  if (preset == Preset::quick || device.type == DeviceType::cpu) {
    counts = {std::max(most / 4, 1u), most};
  } else {
    for (const std::uint64_t count : octave_grid(1, most, 1, 1)) counts.push_back(static_cast<std::uint32_t>(count));
    counts.push_back(2 * most);
  }
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  return counts;
}

std::vector<std::uint32_t> chain_counts(Preset preset) {
  return preset == Preset::quick ? std::vector{2u, 8u} : std::vector{1u, 2u, 4u, 8u};
}

std::vector<LimitRule> limits() {
  const std::vector<std::pair<Quantity, std::vector<const char*>>> bounds{
      {Quantity::fp32, {"fp32-fma", "fp32-fma-xyz", "fp32-fma-xcc", "fp32-fma-xxx", "fp32-add", "fp32-sub", "fp32-mul"}},
      {Quantity::fp64, {"fp64-fma", "fp64-fma-xyz", "fp64-fma-xcc", "fp64-fma-xxx", "fp64-add", "fp64-mul"}},
      {Quantity::fp16, {"fp16x2-fma"}},
      {Quantity::int32, {"int32-add", "int32-sub", "int32-logic"}},
      {Quantity::int32_mul, {"int32-mad", "int32-mad-xcc", "int32-mad-xxx", "int32-mul"}},
      {Quantity::special,
       {"fp32-rcp-fast", "fp32-rsqrt-fast", "fp32-sin-fast", "fp32-cos-fast", "fp32-log2-fast", "fp32-exp2-fast"}}};
  std::vector<LimitRule> rules;
  for (const auto& [quantity, operations] : bounds) {
    for (const char* operation : operations)
      rules.push_back({.only = {{kOperation, operation}}, .without = kBeside, .quantity = quantity});
  }
  return rules;
}

SummaryFigure rate(const char* name, const char* operation, const char* words) {
  return {.line = kExecutionLine,
          .only = {{kOperation, operation}},
          .without = kBeside,
          .figure = figures::kGopsPerS,
          .key = name,
          .words = words};
}

/// The rate of each operation, by its name.
std::vector<SummaryFigure> exported_rates() {
  std::vector<SummaryFigure> rates;
  for (const StreamOperation& operation : stream_operations()) {
    rates.push_back({.line = {},
                     .only = {{kOperation, operation.chain.name}},
                     .without = kBeside,
                     .figure = figures::kOpsPerUnitCycle,
                     .key = operation.chain.name});
  }
  return rates;
}

class ArithmeticThroughput final : public Experiment {
 public:
  std::string name() const override { return "arithmetic-throughput"; }

  Presentation presentation() const override {
    SummaryFigure fp32 = rate("FP32", "fp32-fma", "rate of FP32 multiply-adds");
    fp32.per_unit = true;
    return {
        .title = "Throughput of arithmetic",
        .question = "How many results of an operation does a unit deliver per cycle, and how much parallelism does that need?",
        .method =
            "Every lane repeats an operation in independent chains. "
            "A search over the numbers of chains and subgroups and the width of vectors finds the highest rate. "
            "The records hold the whole search. "
            "Results per unit and cycle come from the counters of the units, read in the timed kernel. "
            "The host computes the same chains and compares the results.",
        .metric = "rate of operations: 1e9 results per second, and results per unit and cycle",
        .operation = "result",
        .order = 420,
        .configuration = {kChains, kWidth, kSubgroups},
        .sizes = {kSubgroups},
        .limits = limits(),
        .below_full_rate = {{parameter::kOptimization, optimization::kOff}},
        .bars = {{.y = {figures::kOpsPerUnitCycle, figures::kGopsPerS}}},
        .grids = {{.name = "parallelism",
                   .title = "Results per unit and cycle by chains and subgroups",
                   .x = kSubgroups,
                   .x_title = "subgroups of a unit",
                   .y = kChains,
                   .y_title = "independent chains of a lane",
                   .figures = {figures::kOpsPerUnitCycle, figures::kGopsPerS}}},
        .summary = {fp32, rate("FP64", "fp64-fma", "rate of FP64 multiply-adds")},
        .further = {rate("FP16", "fp16x2-fma", "rate of FP16 multiply-adds"),
                    rate("INT32 add", "int32-add", "rate of INT32 adds"),
                    rate("INT32 multiply-add", "int32-mad", "rate of INT32 multiply-adds")},
        .exported = exported_rates(),
        .ceilings = {
            {.level = "arithmetic", .only = {{kOperation, "fp32-fma"}}, .without = kBeside, .roof = "FP32", .flops_per_op = 2},
            {.level = "arithmetic", .only = {{kOperation, "fp64-fma"}}, .without = kBeside, .roof = "FP64", .flops_per_op = 2},
            {.level = "arithmetic",
             .only = {{kOperation, "int32-mad"}},
             .without = kBeside,
             .roof = "INT32",
             .in_chart = false,
             .flops_per_op = 2},
            {.level = "arithmetic",
             .only = {{kOperation, "int32-dot4"}},
             .without = kBeside,
             .roof = "INT8 dot",
             .in_chart = false,
             .flops_per_op = 8},
            {.level = "arithmetic"}}};
  }

  std::vector<ParameterSpec> parameters() const override { return {kOperations, kOptimize, kSubgroupSize, kWgpMode}; }

  std::vector<Point> plan(const DeviceInfo& device, const Options& options, std::span<const PointResult> done) const override {
    std::vector<Point> points;
    for (const RateQuestion& question : all_questions()) {
      const bool by_preset = options.has(kOperations, kAutomatic) && question.from <= options.preset;
      if (!by_preset && !options.has(kOperations, question.name)) continue;
      for (const std::string& level : optimization_levels(options)) {
        Point point{name(), question.parameters};
        if (level == optimization::kOff) point.parameters[parameter::kOptimization] = level;
        require_execution_mode(point, options);
        append(points, best_configurations(all_configurations(device, options.preset, point), done, best_count(options.preset)));
      }
    }
    return points;
  }

  std::optional<std::string> unsupported(const DeviceInfo& device, const Point& point) const override {
    if (auto reason = wgp_mode_unsupported(device, point)) return reason;
    return instruction_stream_unsupported(device, stream_of(device, point));
  }

  Trial prepare(Device& device, const Point& point, std::uint64_t /*seed*/) const override {
    Trial trial = instruction_stream_trial(device, stream_of(device.info(), point));
    apply_role(trial, point);
    return trial;
  }

 private:
  /// The question in each configuration; only one if the device lacks the operation.
  std::vector<Point> all_configurations(const DeviceInfo& device, Preset preset, const Point& question) const {
    auto counts = subgroup_counts(device, preset, required_subgroup_size(question));
    const std::uint32_t full = subgroups_of_group(device, required_subgroup_size(question));
    if (operation_called(question, kOperation)->uniform) std::erase_if(counts, [&](std::uint32_t count) { return count < full; });
    auto points = configurations(*this, device, question, {{kChains, chain_counts(preset)}, {kSubgroups, counts}});
    if (unsupported(device, points.front()) || !searches_widths(device, preset, question)) return points;
    // Fewer only wait for each other, as without vectors.
    std::erase_if(counts, [&](std::uint32_t count) { return count < full || (count > full && preset != Preset::full); });
    append(points, product(question, {{kChains, std::array{kVectorChains}}, {kWidth, kWidths}, {kSubgroups, counts}}));
    return points;
  }

  /// A model has one rate, whatever the width.
  static bool searches_widths(const DeviceInfo& device, Preset preset, const Point& question) {
    return preset != Preset::quick && device.api != Api::sim && !question.parameters.contains(kBeside) &&
           is_optimized(question) && has(kVectorOperations, word(question, kOperation));
  }

  static InstructionStream stream_of(const DeviceInfo& device, const Point& point) {
    const auto subgroup_size = required_subgroup_size(point);
    return {.operation = operation_called(point, kOperation),
            .partner = point.parameters.contains(kBeside) ? operation_called(point, kBeside) : nullptr,
            .chains = number<std::uint32_t>(point, kChains),
            .width = number_or(point, kWidth, 1u),
            .subgroups = number<std::uint32_t>(point, kSubgroups),
            .group_size = subgroups_of_group(device, subgroup_size) * stream_lanes(device, subgroup_size),
            .subgroup_size = subgroup_size,
            .optimize = is_optimized(point)};
  }
};

const RegisterExperiment registered(std::make_unique<ArithmeticThroughput>());

}  // namespace
}  // namespace percycle::arithmetic_throughput_experiment
