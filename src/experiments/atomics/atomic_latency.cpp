#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/figures.hpp"
#include "expected/atomic_operations.hpp"
#include "expected/atomic_type.hpp"
#include "experiments/atomics/parts/atomic_latency.hpp"
#include "experiments/atomics/parts/subgroup_lanes.hpp"
#include "experiments/common/prerequisite.hpp"
#include "experiments/common/product.hpp"
#include "experiments/experiment.hpp"

namespace percycle::atomic_latency_experiment {
namespace {

constexpr std::uint32_t kUsualLines = 16;
// By chance all lie in the far half of a cache once in 256 times.
constexpr std::uint32_t kFewLines = 8;
constexpr std::uint32_t kMostLanes = 1024;

const WordsParameter kOperations{
    "operation", {"add", "min", "exchange", "compare-exchange", "and-or"}, "operations to measure; and-or alternates OR and AND"};
const WordsParameter kTypes{
    "type", {"int32", "int64", "float"}, "type of the words: 32-bit or 64-bit integers, or 32-bit floats (add only)"};
const WordsParameter kMemories{"memory", {"global", "local"}, "memory of the words"};
const WordsParameter kMethods{
    "method",
    {"chain", "pair"},
    "chain: the next address needs the returned value; pair: it needs a load of the same word after the operation, and that "
    "load alone is the control"};
const WordsParameter kPlacements{
    "placement", {"address", "line"}, "address: all lanes use one word; line: each lane has its own word in one line"};
const NumberParameter kContending{
    "lanes", "contending lanes of one work-group; auto: 1, 2, 4 ... a subgroup, then several (quick and CPUs: fewer)"};
const NumberParameter kTriedLines{
    "lines",
    "lines of 128 B (at most 1024) to try with one lane first, because the place of a line in a shared cache matters; all other "
    "points use the nearest; auto: 16 (quick: 8, CPUs: 1)"};

/// Latency by contention (Jia et al., Dissecting the NVidia Turing T4 GPU, section 4.2 and table
/// 4.2). A portable kernel has two methods: chains through returned values, and pairs of an atomic
/// and a load that follows by program order.
class AtomicLatency final : public Experiment {
 public:
  std::string name() const override { return "atomic-latency"; }
  Presentation presentation() const override {
    return {.title = "Latency of atomics",
            .question = "How long does an atomic take, alone and while other lanes use the same word or line?",
            .method =
                "Each atomic waits for the one before it. "
                "Its address comes from the value that the last one returned (chain), or from a load of the same word after it "
                "(pair). "
                "All contending lanes use one word or one line. "
                "`net` is the latency minus the address arithmetic or the load.",
            .metric =
                "latency of a dependent atomic: ns and cycles per operation; net: minus the address arithmetic, for method pair "
                "minus the load",
            .operation = "op",
            .order = 310,
            .curves = {{.name = "atomic-contention",
                        .title = "Latency of an atomic add by the number of lanes",
                        .only = {{"operation", "add"}, {"type", "int32"}},
                        .x = "lanes",
                        .x_title = "lanes",
                        .y = {figures::kNetCyclesPerOp, figures::kNetNsPerOp},
                        .y_scale = AxisScale::doubled,
                        .split = {"memory", "method"},
                        .follows = {"line"},
                        .usual = "line"}},
            .words = {{"memory", "local", "local memory"},
                      {"memory", "global", "global memory"},
                      {"method", "chain", "a chain of atomics"},
                      {"method", "pair", "pairs of an atomic and a load"}},
            .summary = {{.line = "atomics",
                         .only = {{"operation", "add"}, {"type", "int32"}, {"memory", "local"}, {"method", "chain"}},
                         .only_numbers = {{"lanes", 1}},
                         .figure = figures::kNetCyclesPerOp,
                         .pick = SummaryFigure::Pick::lowest,
                         .key = "atomic, local",
                         .words = "latency of an atomic add in local memory"},
                        {.line = "atomics",
                         .only = {{"operation", "add"}, {"type", "int32"}, {"memory", "global"}, {"method", "chain"}},
                         .only_numbers = {{"lanes", 1}},
                         .figure = figures::kNetCyclesPerOp,
                         .pick = SummaryFigure::Pick::lowest,
                         .key = "atomic, global",
                         .words = "latency of an atomic add in memory"}}};
  }

  std::vector<ParameterSpec> parameters() const override {
    return {kOperations, kTypes, kMemories, kMethods, kPlacements, kContending, kTriedLines};
  }

  std::vector<Point> plan(const DeviceInfo& device, const Options& options, std::span<const PointResult> done) const override {
    std::vector<Point> points = line_points(device, options);
    if (!still_open(points, done).empty()) return points;
    const std::int64_t line = nearest_line(points, done).value_or(0);
    const auto operations = operations_on_types(options);
    const auto wanted = [&](const Point& point) {
      auto some = operations;
      std::erase_if(some, [&](Parameters& each) { return !wants_method(options, word(each, "type"), word(point, "method")); });
      return some;
    };
    for (Point& point : product({name(), {}}, {{"memory", options[kMemories]},
                                               {"method", options[kMethods]},
                                               Axis(wanted),
                                               {"placement", options[kPlacements]},
                                               {"lanes", [&](const Point& each) { return lanes_for(device, options, each); }}})) {
      if (word(point, "memory") == "global") point.parameters["line"] = line;
      points.push_back(std::move(point));
    }
    return points;
  }

  std::optional<std::string> unsupported(const DeviceInfo& device, const Point& point) const override {
    return atomic_chains_unsupported(device, config_of(point));
  }

  Trial prepare(Device& device, const Point& point, std::uint64_t /*seed*/) const override {
    return atomic_chains_trial(device, config_of(point));
  }

 private:
  /// Types after the first use only the first method, except with preset full.
  static bool wants_method(const Options& options, const std::string& type, const std::string& method) {
    return type == kAtomicTypes[0].name || options.preset == Preset::full || method == options[kMethods].front();
  }

  /// All supported pairs of operation and type. Throws UsageError if there are none.
  static std::vector<Parameters> operations_on_types(const Options& options) {
    std::vector<Parameters> both;
    for (const Point& each : product({}, {{"operation", options[kOperations]}, {"type", options[kTypes]}})) {
      if (word(each, "type") != "float" || word(each, "operation") == "add") both.push_back(each.parameters);
    }
    if (both.empty()) throw options.refusal(kTypes, "atomic-latency measures only operation add with type float");
    return both;
  }

  /// Points with one lane on each of several lines; empty if one line is enough.
  std::vector<Point> line_points(const DeviceInfo& device, const Options& options) const {
    const std::uint32_t lines = lines_for(device, options);
    if (lines == 1 || !options.has(kMemories, "global")) return {};
    // The parts of a cache interleave by few or many lines, so both distances and offsets vary.
    const std::uint32_t step = kAtomicLines / lines;
    std::vector<std::uint32_t> tried;
    for (std::uint32_t i = 0; i < lines; ++i) tried.push_back(i * step + i % step);
    Point first{name(), operations_on_types(options).front()};
    first.parameters.insert(
        {{"memory", "global"}, {"method", options[kMethods].front()}, {"placement", "address"}, {"lanes", 1}});
    return product(first, {{"line", tried}});
  }

  /// The line on which one lane was fastest; empty if no line was measured.
  static std::optional<std::int64_t> nearest_line(const std::vector<Point>& lines, std::span<const PointResult> done) {
    std::optional<std::int64_t> nearest;
    double least = 0;
    for (const auto& result : done) {
      if (result.outcome.status != Status::ok || std::find(lines.begin(), lines.end(), result.point) == lines.end()) continue;
      const double ns = result.measurement->statistics.at(figures::kNsPerOp).median;
      if (nearest && ns >= least) continue;
      nearest = integer(result.point.parameters, "line");
      least = ns;
    }
    return nearest;
  }

  static std::uint32_t lines_for(const DeviceInfo& device, const Options& options) {
    const auto wanted = options[kTriedLines];
    if (!wanted) return device.type == DeviceType::cpu ? 1 : by_preset(options.preset, kFewLines, kUsualLines, kUsualLines);
    if (*wanted > kAtomicLines) throw options.refusal(kTriedLines, fmt::format("atomic-latency has {} lines", kAtomicLines));
    return *wanted;
  }

  /// The numbers of lanes: a sweep for the first operation and type, its ends for the others.
  /// Placement line has at least two lanes, because one lane never shares a line, and at most the
  /// words of a line.
  static std::vector<std::uint32_t> lanes_for(const DeviceInfo& device, const Options& options, const Point& point) {
    if (const auto wanted = options[kContending]) return {*wanted};
    const std::string& type = word(point, "type");
    const bool full = options.preset == Preset::full;
    const bool few = options.preset == Preset::quick || (!full && device.type == DeviceType::cpu);
    const bool main = word(point, "operation") == kAtomicOperations[0].name && type == kAtomicTypes[0].name;
    const bool line = word(point, "placement") == "line";
    if (line && !main && !full) return {};
    const std::uint32_t most =
        std::min(line ? atomic_line_words(device, atomic_type(type).type) : kMostLanes, device.max_group_size);
    const std::uint32_t subgroup = std::min(subgroup_lanes(device), most);

    const bool sweep = full || (main && !few);  // all doublings up to a subgroup, and the most
    std::vector<std::uint32_t> lanes;
    const auto doublings = [&](std::uint32_t from, std::uint32_t to) {
      for (std::uint32_t count = from; count < to; count *= 2) lanes.push_back(count);
    };
    if (!line) lanes.push_back(1);
    if (sweep) doublings(2, subgroup);
    if (main || !few) lanes.push_back(subgroup);
    if (full) doublings(2 * subgroup, most);
    if (main && !full) lanes.push_back(4 * subgroup);
    if (sweep) lanes.push_back(most);
    std::erase_if(lanes, [&](std::uint32_t count) { return count > most || (line && count == 1); });
    lanes.erase(std::unique(lanes.begin(), lanes.end()), lanes.end());
    return lanes;
  }

  static AtomicChains config_of(const Point& point) {
    return {.operation = atomic_operation(word(point, "operation")),
            .type = atomic_type(word(point, "type")),
            .step = word(point, "method") == "pair" ? AtomicStep::pair : AtomicStep::chain,
            .local = word(point, "memory") == "local",
            .own_words = word(point, "placement") == "line",
            .lanes = number<std::uint32_t>(point, "lanes"),
            .line = number_or(point, "line", 0u)};
  }
};

const RegisterExperiment registered(std::make_unique<AtomicLatency>());

}  // namespace
}  // namespace percycle::atomic_latency_experiment
