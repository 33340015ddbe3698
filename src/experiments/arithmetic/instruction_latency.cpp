#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/figures.hpp"
#include "device/values.hpp"
#include "expected/instruction_chain.hpp"
#include "experiments/arithmetic/parts/chain_kernel.hpp"
#include "experiments/arithmetic/parts/matrix_latency.hpp"
#include "experiments/common/execution_mode.hpp"
#include "experiments/common/optimization.hpp"
#include "experiments/common/product.hpp"
#include "experiments/experiment.hpp"

namespace percycle::instruction_latency_experiment {
namespace {

constexpr const char* kClass = "class";
constexpr const char* kInstruction = "instruction";

constexpr const char* kAutomatic = ParameterSpec::kAutomatic;

constexpr const char* kMatrix = "matrix";  // an operation: all products that the device offers

constexpr const char* kSubgroups = "subgroups";  // of the work-group at a barrier
constexpr std::array kSubgroupCounts{1, 2, 4, 8, 16, 32};

/// One or two of each class.
constexpr std::array kQuick{
    "int32-add", "int32-mad",          "uint32-div-irregular", "int32-xor", "int32-popc", "int32-select", "fp32-add",
    "fp32-fma",  "fp32-div-irregular", "fp32-rsqrt-fast",      "int64-add", "fp64-fma",   "fp16x2-fma",   "subgroup-shuffle"};

constexpr std::uint32_t kMostPairsOfCpu = 32;  // compiles sooner
constexpr std::uint32_t kNever = 0;            // a hash that no chain reaches
constexpr std::size_t kWordsOfLane = 2;        // likewise, behind them: the hash and the value

std::vector<std::string> operation_words() {
  std::vector<std::string> names{kAutomatic};
  for (const ChainOperation& operation : chain_operations()) names.push_back(operation.name);
  names.emplace_back(kMatrix);
  return names;
}

const WordsParameter kOperations{
    "operation", operation_words(), kAutomatic,
    "operations to measure; matrix: all products of matrices of a subgroup; auto: one or two of each class (quick), all"};

bool is_matrix(const Point& point) { return word(point, kClass) == kMatrixClass; }

const ChainOperation& operation_of(const Point& point) {
  const auto& all = chain_operations();
  const auto found = std::find_if(all.begin(), all.end(), [&](const ChainOperation& one) {
    return one.group == word(point, kClass) && one.instruction == word(point, kInstruction);
  });
  if (found == all.end()) throw UsageError("no such instruction: " + to_string(point));
  return *found;
}

/// Work-items of the work-group: one subgroup, at a barrier several.
std::uint32_t lane_count(const DeviceInfo& device, const Point& point) {
  const std::uint32_t reported = device.subgroup_sizes.empty() ? 1 : device.subgroup_sizes.front();
  const std::uint32_t lanes = std::min(required_subgroup_size(point).value_or(reported), device.max_group_size);
  return lanes * number_or(point, kSubgroups, 1u);
}

/// The steps of a turn, in pairs.
struct ChainTurn {
  std::uint32_t pairs = 0;
  std::uint32_t helper_pairs = 0;  ///< of them, those that have the helper alone

  std::uint64_t operations() const { return 2 * (std::uint64_t{pairs} - helper_pairs); }
  /// Operations of helpers beside each operation.
  std::uint32_t helper_operations(const ChainOperation& operation) const {
    return operation.has_helper() ? operation.helper_operations * pairs / (pairs - helper_pairs) : 0;
  }
};

/// The turn of a chain or of its control. Both begin and end with operations. Between them the
/// control has its helper alone or, without a helper, half as many operations.
ChainTurn turn_of(const ChainOperation& operation, const DeviceInfo& device, bool is_control) {
  const std::uint32_t pairs = std::min(operation.pairs, device.type == DeviceType::cpu ? kMostPairsOfCpu : UINT32_MAX);
  if (!is_control) return {pairs, 0};
  return operation.has_helper() ? ChainTurn{pairs, pairs - 2} : ChainTurn{pairs / 2, 0};
}

/// The operands of a lane in even and odd steps.
std::array<std::uint64_t, 2> operands_of(const ChainOperation& operation, std::uint32_t lane) {
  if (operation.neighbour_operand) return {lane ^ 1u, lane ^ 1u};
  return {operation.even_operand, operation.odd_operand};
}

/// Compares the end of each lane with the host's. Runs of equally many turns end alike.
class ChainCheck {
 public:
  ChainCheck(const ChainOperation& operation, ChainTurn turn, std::uint32_t lanes, std::shared_ptr<Buffer> out)
      : operation_(&operation), expressions_(allowed_expressions(operation)), turn_(turn), lanes_(lanes), out_(std::move(out)) {}

  Outcome operator()(Device& device, std::uint64_t loops) {
    const auto words = read_results<std::uint64_t>(device, *out_, std::size_t{lanes_} * kWordsOfLane);
    Outcome outcome;
    for (std::size_t i = 0; i < expressions_.size(); ++i) {
      outcome = held_against(i, loops, words);
      if (outcome.status == Status::ok) return outcome;
    }
    return outcome;
  }

 private:
  Outcome held_against(std::size_t expression, std::uint64_t loops, const std::vector<std::uint64_t>& words) {
    for (std::uint32_t lane = 0; lane < lanes_; ++lane) {
      const ChainEnd& expected = end_of(expression, loops, lane);
      const std::uint64_t hash = words[kWordsOfLane * lane];
      const std::uint64_t value = words[kWordsOfLane * lane + 1];
      if (hash == expected.hash && is_close(*operation_, value, expected.value)) continue;
      return {Status::invalid, fmt::format("lane {} ended with the value 0x{:x} and the hash 0x{:x} instead of 0x{:x} and 0x{:x}",
                                           lane, value, hash, expected.value, expected.hash)};
    }
    return {};
  }

  const ChainEnd& end_of(std::size_t expression, std::uint64_t loops, std::uint32_t lane) {
    const auto [known, is_new] = ends_.try_emplace({expression, loops, start_word(lane)});
    if (is_new) {
      const auto operands = operands_of(*operation_, lane);
      const ChainRun run{.loops = loops,
                         .pairs = turn_.pairs,
                         .helper_pairs = turn_.helper_pairs,
                         .start = start_word(lane),
                         .neighbour_start = start_word(lane ^ 1u),
                         .is_odd = lane % 2 == 1,
                         .lanes = lanes_,
                         .mask = chain_mask(*operation_),
                         .even_operand = operands[0],
                         .odd_operand = operands[1]};
      known->second = chain_end(*operation_, expressions_[expression], run);
    }
    return known->second;
  }

  const ChainOperation* operation_;
  std::vector<ChainExpression> expressions_;
  ChainTurn turn_;
  std::uint32_t lanes_;
  std::shared_ptr<Buffer> out_;
  std::map<std::tuple<std::size_t, std::uint64_t, std::uint32_t>, ChainEnd> ends_;
};

/// The documents' words for the measured points.
std::vector<PublishedPlace> published_places() {
  std::vector<PublishedPlace> places;
  for (const ChainOperation& operation : chain_operations()) {
    const auto measured = [&](const char* level) -> ParameterWords {
      return {{kClass, operation.group}, {kInstruction, operation.instruction}, {parameter::kOptimization, level}};
    };
    for (const std::string& label : operation.labels) {
      for (const char* level : {optimization::kOn, optimization::kOff})
        places.push_back(
            {{{kClass, operation.group}, {kInstruction, label}, {parameter::kOptimization, level}}, measured(level)});
      places.push_back({{{kInstruction, label}}, measured(optimization::kOn)});
    }
  }
  return places;
}

/// The latency of each operation, by its name.
std::vector<SummaryFigure> exported_latencies() {
  std::vector<SummaryFigure> latencies;
  for (const ChainOperation& operation : chain_operations()) {
    latencies.push_back({.line = {},
                         .only = {{kClass, operation.group},
                                  {kInstruction, operation.instruction},
                                  {parameter::kOptimization, optimization::kOn}},
                         .figure = figures::kNetCyclesPerOp,
                         .pick = SummaryFigure::Pick::lowest,
                         .key = operation.name});
  }
  return latencies;
}

class InstructionLatency final : public Experiment {
 public:
  std::string name() const override { return "instruction-latency"; }

  Presentation presentation() const override {
    return {.title = "Latency of instructions",
            .question = "How long does the next instruction wait for the result of an instruction?",
            .method =
                "One subgroup runs a chain of instructions, each of which needs the result of the one before it. "
                "`net` is the time that one instruction adds: the time of the chain minus the time of a control chain. "
                "The control has fewer of the instructions and all of the chain's helpers; products of matrices, "
                "each added to the sum of the one before it, have no control. "
                "The host computes the same chain and compares the results. "
                "Published figures come from documents, which state their method.",
            .metric = "cycles per instruction",
            .operation = "instruction",
            .order = 410,
            .bars = {{.y = {figures::kNetCyclesPerOp, figures::kCyclesPerOp, figures::kNetNsPerOp, figures::kNsPerOp},
                      .split = {kClass, parameter::kOptimization},
                      .pair = parameter::kOptimization}},
            .published = published_places(),
            .exported = exported_latencies()};
  }

  std::vector<ParameterSpec> parameters() const override { return {kOperations, kOptimize, kSubgroupSize, kWgpMode}; }

  std::vector<Point> plan(const DeviceInfo& device, const Options& options,
                          std::span<const PointResult> /*done*/) const override {
    const bool automatic = options.has(kOperations, kAutomatic);
    std::vector<Point> points;
    for (const ChainOperation& operation : chain_operations()) {
      const bool by_preset =
          automatic && (options.preset != Preset::quick || std::ranges::find(kQuick, operation.name) != kQuick.end());
      if (!by_preset && !options.has(kOperations, operation.name)) continue;
      for (const std::string& level : optimization_levels(options)) add_points(points, operation, level, options);
    }
    if ((automatic && options.preset != Preset::quick) || options.has(kOperations, kMatrix)) {
      for (const std::string& product : matrix_instructions(device))
        points.push_back({name(), {{kClass, std::string(kMatrixClass)}, {kInstruction, product}}});
    }
    return points;
  }

  void add_points(std::vector<Point>& points, const ChainOperation& operation, const std::string& level,
                  const Options& options) const {
    Point point{name(), {{kClass, operation.group}, {kInstruction, operation.instruction}, {parameter::kOptimization, level}}};
    require_execution_mode(point, options);
    if (operation.need != ChainNeed::barrier) {
      points.push_back(std::move(point));
    } else {
      append(points, product(point, {{kSubgroups, kSubgroupCounts}}));
    }
  }

  std::optional<std::string> unsupported(const DeviceInfo& device, const Point& point) const override {
    if (auto reason = wgp_mode_unsupported(device, point)) return reason;
    if (is_matrix(point)) return matrix_latency_unsupported(device, word(point, kInstruction));
    if (auto reason = group_unsupported(device, lane_count(device, point), required_subgroup_size(point))) return reason;
    return operation_unsupported(device, operation_of(point));
  }

  Trial prepare(Device& device, const Point& point, std::uint64_t /*seed*/) const override {
    if (is_matrix(point)) return matrix_latency_trial(device, word(point, kInstruction));
    const ChainOperation& operation = operation_of(point);
    const std::uint32_t lanes = lane_count(device.info(), point);
    const Inputs inputs = write_inputs(device, operation, lanes);
    const auto chain = [&](bool is_control) {
      const ChainTurn turn = turn_of(operation, device.info(), is_control);
      KernelDesc desc{.name = "instruction_chain",
                      .definitions = {{"CHAIN", operation.name},
                                      {"TYPE", type_definition(operation.type)},
                                      {"PAIRS", std::to_string(turn.pairs)}},
                      .local_size = lanes,
                      .bindings = {{"starts"}, {"operands"}, {"out"}},
                      .parameters = {{"loops", "turns of the timed loop"},
                                     {"mask", "bits of a turn's last value that the next turn depends on"},
                                     {"never", "no hash that is ever reached: makes later instructions wait"}},
                      .subgroup_size = required_subgroup_size(point),
                      .optimize = is_optimized(point),
                      .later_opencl_c = operation.is_of_subgroup() || operation.is_dot_product(),
                      .texts = chain_texts(operation, operation.expression)};
      desc.texts["TURN"] = chain_turn_text(turn.pairs, turn.helper_pairs);
      if (turn.helper_pairs > 0) {
        desc.definitions["HELPER_PAIRS"] = std::to_string(turn.helper_pairs);
        desc.texts["HELPER(x, y, c)"] = "(" + operation.helper.text + ")";
      }
      const auto out = result_buffer(device, std::uint64_t{lanes} * kWordsOfLane * sizeof(std::uint64_t));
      LoopedDispatch looped;
      const auto kernel = device.create(desc);
      if (!desc.optimize) looped.optimized = optimized_twin(device, desc);
      looped.dispatch = {kernel,
                         {{inputs.starts, nullptr}, {inputs.operands, nullptr}, {out, nullptr}},
                         {{"loops", 0}, {"mask", chain_mask(operation)}, {"never", kNever}},
                         1};
      // lavapipe also counts the pass in which a loop ends.
      looped.max_loops = device.info().max_loop_iterations.value_or(UINT32_MAX) - 1;
      looped.ops_per_loop = turn.operations();
      looped.turn.emplace();
      looped.arithmetic = {operation.instruction, turn.operations(), turn.helper_operations(operation)};
      looped.verify = ChainCheck(operation, turn, lanes, out);
      return std::pair(std::move(looped), ClockReadings{out, 0});
    };
    Trial trial;
    std::tie(trial.timed, trial.clocks) = chain(false);
    std::tie(trial.control, trial.control_clocks) = chain(true);
    trial.control_share = static_cast<double>(trial.control->ops_per_loop) / static_cast<double>(trial.timed.ops_per_loop);
    trial.repeatable = true;
    observe_execution(trial, device);
    return trial;
  }

 private:
  struct Inputs {
    std::shared_ptr<Buffer> starts;
    std::shared_ptr<Buffer> operands;
  };

  static Inputs write_inputs(Device& device, const ChainOperation& operation, std::uint32_t lanes) {
    std::vector<std::uint32_t> starts;
    std::vector<std::uint32_t> operands;
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      starts.push_back(start_word(lane));
      for (const std::uint64_t operand : operands_of(operation, lane)) {
        operands.push_back(static_cast<std::uint32_t>(operand));
        operands.push_back(static_cast<std::uint32_t>(operand >> 32));
      }
    }
    const auto buffer = [&](const std::vector<std::uint32_t>& words) {
      auto made = device.create(BufferDesc{words.size() * sizeof(std::uint32_t)});
      write_values(device, *made, words);
      return made;
    };
    return {buffer(starts), buffer(operands)};
  }
};

const RegisterExperiment registered(std::make_unique<InstructionLatency>());

}  // namespace
}  // namespace percycle::instruction_latency_experiment
