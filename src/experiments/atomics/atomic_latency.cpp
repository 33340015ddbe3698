#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "expected/atomic_latency.hpp"
#include "expected/atomic_operations.hpp"
#include "expected/atomic_type.hpp"
#include "experiments/atomics/parts/subgroup_lanes.hpp"
#include "experiments/common/prerequisite.hpp"
#include "experiments/common/product.hpp"
#include "experiments/experiment.hpp"

namespace percycle::atomic_latency_experiment {
namespace {

// Layout and parameters of kernel pair `atomic_latency`.
constexpr std::uint32_t kOpsPerLoop = 16;
constexpr std::uint32_t kLineBytes = 128;
constexpr std::uint32_t kLines = 1024;  // in global memory
constexpr std::uint32_t kUsualLines = 16;
constexpr std::size_t kFinalWords = 8;
constexpr std::size_t kResultWords = 40;
constexpr std::size_t kLaneWords = 3;
const std::vector<KernelParameter> kParameters{{"loops", "turns of 16 operations"},
                                               {"lanes", "lanes that take part"},
                                               {"spread", "words from lane to lane"},
                                               {"zero", "0"},
                                               {"start", "first value of every word: all its bits or the low half"},
                                               {"high", "high half of the first value"},
                                               {"first", "first word of the line; 0 in local memory"}};
constexpr std::uint64_t kOtherPasses = 2 * 32 + 3;  // iterations of other loops, last checks

constexpr std::uint32_t kMostLanes = 1024;
constexpr std::uint32_t kWordBytes = 4;  // of the output
// Control steps of all lanes together: CPUs run one lane after the other.
constexpr std::uint64_t kControlSteps = std::uint64_t{1} << 22;

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
    "points use the nearest; auto: 16 (quick and CPUs: 1)"};

/// The operations of a loop turn.
enum class Step { chain, pair, load, none };

const char* definition_of(Step step) {
  switch (step) {
    case Step::chain:
      return "METHOD_CHAIN";
    case Step::pair:
      return "METHOD_PAIR";
    case Step::load:
      return "METHOD_LOAD";
    case Step::none:
      return "METHOD_NONE";
  }
  return "";
}

/// The parameters of one point.
struct Config {
  AtomicOperationName operation = kAtomicOperations[0];
  AtomicTypeName type = kAtomicTypes[0];
  Step step = Step::chain;
  bool local = false;
  bool own_words = false;
  std::uint32_t lanes = 1;
  std::uint32_t line = 0;  // of kLines in global memory
};

bool has_operation(Step step) { return step == Step::chain || step == Step::pair; }

/// The first value of the words. The control also needs words that are not 0.
std::uint64_t start_of(const Config& config) {
  return atomic_start(has_operation(config.step) ? config.operation.operation : AtomicOperation::add, config.type.type);
}

/// Words of a line, one for each lane at most.
std::uint32_t line_words(const DeviceInfo& device, AtomicType type) {
  return std::min(device.cache_line_bytes.value_or(kLineBytes), kLineBytes) / word_bytes(type);
}

/// Work-group size: one kernel serves all numbers of lanes up to a subgroup.
std::uint32_t group_size(const DeviceInfo& device, const Config& config) {
  return std::max(config.lanes, std::min(subgroup_lanes(device), device.max_group_size));
}

/// The expected sum of a control lane: the loaded words, or the low half of the first value.
std::uint64_t control_sum(const Config& config, std::uint64_t operations) {
  const std::uint64_t bits = bits_of(config.type.type, start_of(config));
  const std::uint64_t each = config.step == Step::load ? bits : static_cast<std::uint32_t>(bits);
  return wrapped(config.type.type, operations * each);
}

/// The final bits of a word.
std::uint64_t word_at(std::span<const std::byte> line, std::size_t word, AtomicType type) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, line.data() + word * word_bytes(type), word_bytes(type));
  return bits;
}

std::vector<TurnAccess> turn_of(const Config& config) {
  std::vector<TurnAccess> all;
  const auto add = [&](AccessKind kind, bool returns) {
    all.push_back(
        {config.local ? MemoryPath::local : MemoryPath::global, kind, word_bytes(config.type.type), kOpsPerLoop, returns});
  };
  if (has_operation(config.step)) add(AccessKind::atomic, true);
  if (config.step == Step::pair || config.step == Step::load) add(AccessKind::read, false);
  return all;
}

/// The dispatch and its check, for the operations and for their control.
LoopedDispatch looped(Device& device, const Config& config, const std::shared_ptr<Buffer>& words,
                      const std::shared_ptr<Buffer>& out) {
  const DeviceInfo& info = device.info();
  const AtomicType type = config.type.type;
  const std::uint64_t start = bits_of(type, start_of(config));
  const KernelDesc desc{.name = "atomic_latency",
                        .definitions = {{"OPERATION", config.operation.definition},
                                        {"WORD_TYPE", config.type.definition},
                                        {"METHOD", definition_of(config.step)},
                                        {"MEMORY", config.local ? "MEMORY_LOCAL" : "MEMORY_GLOBAL"}},
                        .local_size = group_size(info, config),
                        .bindings = {{"words"}, {"out"}},
                        .parameters = kParameters,
                        .constants = {},
                        .subgroup_size = {},
                        .float_atomics = config.type.type == AtomicType::float32};
  const std::uint64_t passes = info.max_loop_iterations.value_or(UINT32_MAX);
  LoopedDispatch looped;
  looped.dispatch = {device.create(desc),
                     {{words, nullptr}, {out, nullptr}},
                     {{"loops", 0},
                      {"lanes", config.lanes},
                      {"spread", config.own_words ? 1u : 0u},
                      {"zero", 0},
                      {"start", static_cast<std::uint32_t>(start)},
                      {"high", static_cast<std::uint32_t>(start >> 32)},
                      {"first", config.line * kLineBytes / word_bytes(type)}},
                     1};
  looped.ops_per_loop = kOpsPerLoop;
  looped.turn = turn_of(config);
  looped.max_loops = std::min(passes > kOtherPasses ? passes - kOtherPasses : 1,
                              most_operations(type) / (std::uint64_t{kOpsPerLoop} * config.lanes) - 1);
  looped.verify = [config, type, out](Device& on, std::uint64_t loops) {
    std::vector<std::uint32_t> found(kResultWords + kLaneWords * config.lanes);
    on.read(*out, 0, std::as_writable_bytes(std::span(found)));
    std::vector<LaneTotals> totals;
    for (std::size_t at = kResultWords; at < found.size(); at += kLaneWords) {
      totals.push_back({found[at] | std::uint64_t{found[at + 1]} << 32, found[at + 2]});
    }
    const std::uint64_t operations = loops * kOpsPerLoop;
    if (!has_operation(config.step)) {
      const std::uint64_t right = control_sum(config, operations);
      const bool all =
          std::all_of(totals.begin(), totals.end(), [&](const LaneTotals& lane) { return lane.sum == right && lane.count == 0; });
      return all ? Outcome{} : Outcome{Status::invalid, "the control loaded wrong values"};
    }
    const auto line = std::as_bytes(std::span(found).subspan(kFinalWords));
    std::vector<std::uint64_t> ends;
    for (std::size_t word = 0; word < kLineBytes / word_bytes(type); ++word) ends.push_back(word_at(line, word, type));
    const AtomicRun run{config.operation.operation, operations, config.step == Step::pair, config.own_words, type};
    const auto wrong = wrong_totals(run, ends, totals);
    return wrong ? Outcome{Status::invalid, fmt::format("{} after {} operations of each lane", *wrong, operations)} : Outcome{};
  };
  return looped;
}

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
                        .title = "Contention: cycles of an atomic by the number of lanes",
                        .only = {{"operation", "add"}, {"type", "int32"}},
                        .x = "lanes",
                        .x_title = "lanes",
                        .y = {"net_cycles_per_op", "net_ns_per_op"},
                        .y_along = Along::doubled,
                        .split = {"memory", "method"},
                        .follows = {"line"},
                        .usual = "line"}},
            .summary = {{.line = "atomics",
                         .name = "add, local",
                         .only = {{"operation", "add"}, {"type", "int32"}, {"memory", "local"}, {"method", "chain"}},
                         .only_numbers = {{"lanes", 1}},
                         .figure = "net_cycles_per_op",
                         .pick = SummaryFigure::Pick::lowest},
                        {.line = "atomics",
                         .name = "add, global",
                         .only = {{"operation", "add"}, {"type", "int32"}, {"memory", "global"}, {"method", "chain"}},
                         .only_numbers = {{"lanes", 1}},
                         .figure = "net_cycles_per_op",
                         .pick = SummaryFigure::Pick::lowest}}};
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
    const Config config = config_of(point);
    if (config.lanes > device.max_group_size)
      return fmt::format("a work-group has at most {} invocations", device.max_group_size);
    if (config.local && device.local_memory_bytes < kLineBytes) return "the device has no local memory";
    const AtomicType type = config.type.type;
    if (const std::uint32_t words = line_words(device, type); config.own_words && config.lanes > words)
      return fmt::format("a line of {} B has {} words", words * word_bytes(type), words);
    if (config.operation.operation == AtomicOperation::and_or && !config.own_words && config.lanes > 8 * word_bytes(type))
      return fmt::format("each lane checks one bit, and a word has {}", 8 * word_bytes(type));
    const WideAtomics& atomics = config.local ? device.local_atomics : device.global_atomics;
    const char* const where = config.local ? "local" : "global";
    if (type == AtomicType::int64 && !atomics.int64)
      return fmt::format("the device has no 64-bit integer atomics in {} memory", where);
    if (type == AtomicType::float32 && !atomics.float_add)
      return fmt::format("the device has no floating-point atomic add in {} memory", where);
    return std::nullopt;
  }

  Trial prepare(Device& device, const Point& point, std::uint64_t /*seed*/) const override {
    const Config config = config_of(point);
    Config control = config;
    control.step = config.step == Step::chain ? Step::none : Step::load;
    control.operation = kAtomicOperations[0];  // unused: one control kernel for all operations
    const auto words = device.create(BufferDesc{std::uint64_t{kLineBytes} * (config.local ? 1 : kLines)});
    const auto new_out = [&] { return device.create(BufferDesc{(kResultWords + kLaneWords * config.lanes) * kWordBytes}); };
    const auto out = new_out();
    const auto control_out = new_out();
    Trial trial;
    trial.timed = looped(device, config, words, out);
    trial.control = looped(device, control, words, control_out);
    const std::uint64_t steps = std::uint64_t{kOpsPerLoop} * config.lanes;
    trial.control->max_loops = std::min(trial.control->max_loops, std::max<std::uint64_t>(kControlSteps / steps, 1));
    trial.clocks = ClockReadings{out, 0};
    trial.control_clocks = ClockReadings{control_out, 0};
    trial.repeatable = true;
    if (const auto code = device.code(*trial.timed.dispatch.kernel); code && code->subgroup_size) {
      trial.observed["subgroup_size"] = std::to_string(*code->subgroup_size);
    }
    return trial;
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
    const std::uint32_t step = kLines / lines;
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
      const double ns = result.measurement->statistics.at("ns_per_op").median;
      if (nearest && ns >= least) continue;
      nearest = integer(result.point.parameters, "line");
      least = ns;
    }
    return nearest;
  }

  static std::uint32_t lines_for(const DeviceInfo& device, const Options& options) {
    const auto wanted = options[kTriedLines];
    if (!wanted) return options.preset == Preset::quick || device.type == DeviceType::cpu ? 1 : kUsualLines;
    if (*wanted > kLines) throw options.refusal(kTriedLines, fmt::format("atomic-latency has {} lines", kLines));
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
    const std::uint32_t most = std::min(line ? line_words(device, atomic_type(type).type) : kMostLanes, device.max_group_size);
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

  static Config config_of(const Point& point) {
    Config config;
    config.operation = atomic_operation(word(point, "operation"));
    config.type = atomic_type(word(point, "type"));
    config.step = word(point, "method") == "pair" ? Step::pair : Step::chain;
    config.local = word(point, "memory") == "local";
    config.own_words = word(point, "placement") == "line";
    config.lanes = number<std::uint32_t>(point, "lanes");
    config.line = number_or(point, "line", 0u);
    return config;
  }
};

const RegisterExperiment registered(std::make_unique<AtomicLatency>());

}  // namespace
}  // namespace percycle::atomic_latency_experiment
