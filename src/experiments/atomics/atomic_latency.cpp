#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "expected/atomic_operations.hpp"
#include "expected/atomic_totals.hpp"
#include "expected/atomic_type.hpp"
#include "experiments/atomics/parts/subgroup_lanes.hpp"
#include "experiments/common/prerequisite.hpp"
#include "experiments/common/word_list.hpp"
#include "experiments/experiment.hpp"

namespace percycle {
namespace {

// Of kernel pair `atomic_latency`.
constexpr std::uint32_t kOpsPerLoop = 16;
constexpr std::uint32_t kLineBytes = 128;
constexpr std::uint32_t kLines = 1024;  // in global memory
constexpr std::uint32_t kUsualLines = 16;
constexpr std::size_t kFinalWords = 8;
constexpr std::size_t kResultWords = 40;
constexpr std::size_t kLaneWords = 3;
const std::vector<KernelParameter> kParameters{{"loops", "of 16 operations"},
                                               {"lanes", "that take part"},
                                               {"spread", "words from lane to lane"},
                                               {"zero", "0"},
                                               {"start", "of every word: its bits, or their low half"},
                                               {"high", "their high half"},
                                               {"first", "word of the line; 0 in local memory"}};
constexpr std::uint64_t kOtherPasses = 2 * 32 + 3;  // of its other loops, and those in which each ends

constexpr std::uint32_t kMostLanes = 1024;
constexpr std::uint32_t kWordBytes = 4;                          // of what the kernel writes
constexpr std::uint64_t kControlSteps = std::uint64_t{1} << 22;  // of all lanes together; CPUs take them one lane after the other

/// What a loop turn is made of.
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

/// One point in numbers.
struct What {
  AtomicOperationName operation = kAtomicOperations[0];
  AtomicTypeName type = kAtomicTypes[0];
  Step step = Step::chain;
  bool local = false;
  bool own_words = false;
  std::uint32_t lanes = 1;
  std::uint32_t line = 0;  // of kLines in global memory
};

bool has_operation(Step step) { return step == Step::chain || step == Step::pair; }

/// What the words hold at first, as a number; the control, too, wants words that are not 0.
std::uint64_t start_of(const What& what) {
  return atomic_start(has_operation(what.step) ? what.operation.operation : AtomicOperation::add, what.type.type);
}

/// Words of a line that lanes can have for their own.
std::uint32_t line_words(const DeviceInfo& device, AtomicType type) {
  return std::min(device.cache_line_bytes.value_or(kLineBytes), kLineBytes) / word_bytes(type);
}

/// Work-group size: the same kernel does for all numbers of lanes up to a subgroup.
std::uint32_t group_size(const DeviceInfo& device, const What& what) {
  return std::max(what.lanes, std::min(subgroup_lanes(device), device.max_group_size));
}

/// What a lane of the control sums up: the bits of the words that it loads, or of the start's low half alone.
std::uint64_t control_sum(const What& what, std::uint64_t operations) {
  const std::uint64_t bits = bits_of(what.type.type, start_of(what));
  const std::uint64_t each = what.step == Step::load ? bits : static_cast<std::uint32_t>(bits);
  return wrapped(what.type.type, operations * each);
}

/// A word as the kernel leaves it.
std::uint64_t word_at(std::span<const std::byte> line, std::size_t word, AtomicType type) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, line.data() + word * word_bytes(type), word_bytes(type));
  return bits;
}
std::vector<TurnAccess> turn_of(const What& what) {
  std::vector<TurnAccess> all;
  const auto add = [&](AccessKind kind, bool returns) {
    all.push_back({what.local ? MemoryPath::local : MemoryPath::global, kind, word_bytes(what.type.type), kOpsPerLoop, returns});
  };
  if (has_operation(what.step)) add(AccessKind::atomic, true);
  if (what.step == Step::pair || what.step == Step::load) add(AccessKind::read, false);
  return all;
}

/// The dispatch and the check of what it leaves; the same for the operations and for their control.
LoopedDispatch looped(Device& device, const What& what, const std::shared_ptr<Buffer>& words,
                      const std::shared_ptr<Buffer>& out) {
  const DeviceInfo& info = device.info();
  const AtomicType type = what.type.type;
  const std::uint64_t start = bits_of(type, start_of(what));
  const KernelDesc desc{.name = "atomic_latency",
                        .definitions = {{"OPERATION", what.operation.definition},
                                        {"WORD_TYPE", what.type.definition},
                                        {"METHOD", definition_of(what.step)},
                                        {"MEMORY", what.local ? "MEMORY_LOCAL" : "MEMORY_GLOBAL"}},
                        .local_size = group_size(info, what),
                        .bindings = {{"words"}, {"out"}},
                        .parameters = kParameters,
                        .constants = {},
                        .subgroup_size = {},
                        .float_atomics = what.type.type == AtomicType::float32};
  const std::uint64_t passes = info.max_loop_iterations.value_or(UINT32_MAX);
  LoopedDispatch looped;
  looped.dispatch = {device.create(desc),
                     {{words, nullptr}, {out, nullptr}},
                     {{"loops", 0},
                      {"lanes", what.lanes},
                      {"spread", what.own_words ? 1u : 0u},
                      {"zero", 0},
                      {"start", static_cast<std::uint32_t>(start)},
                      {"high", static_cast<std::uint32_t>(start >> 32)},
                      {"first", what.line * kLineBytes / word_bytes(type)}},
                     1};
  looped.ops_per_loop = kOpsPerLoop;
  looped.turn = turn_of(what);
  looped.max_loops = std::min(passes > kOtherPasses ? passes - kOtherPasses : 1,
                              most_operations(type) / (std::uint64_t{kOpsPerLoop} * what.lanes) - 1);
  looped.verify = [what, type, out](Device& on, std::uint64_t loops) {
    std::vector<std::uint32_t> found(kResultWords + kLaneWords * what.lanes);
    on.read(*out, 0, std::as_writable_bytes(std::span(found)));
    std::vector<LaneTotals> totals;
    for (std::size_t at = kResultWords; at < found.size(); at += kLaneWords) {
      totals.push_back({found[at] | std::uint64_t{found[at + 1]} << 32, found[at + 2]});
    }
    const std::uint64_t operations = loops * kOpsPerLoop;
    if (!has_operation(what.step)) {
      const std::uint64_t right = control_sum(what, operations);
      const bool all =
          std::all_of(totals.begin(), totals.end(), [&](const LaneTotals& lane) { return lane.sum == right && lane.count == 0; });
      return all ? Outcome{} : Outcome{Status::invalid, "the control loaded wrong values"};
    }
    const auto line = std::as_bytes(std::span(found).subspan(kFinalWords));
    std::vector<std::uint64_t> ends;
    for (std::size_t word = 0; word < kLineBytes / word_bytes(type); ++word) ends.push_back(word_at(line, word, type));
    const AtomicRun run{what.operation.operation, operations, what.step == Step::pair, what.own_words, type};
    const auto wrong = wrong_totals(run, ends, totals);
    return wrong ? Outcome{Status::invalid, fmt::format("{} after {} operations of each lane", *wrong, operations)} : Outcome{};
  };
  return looped;
}

/// Jia et al., Dissecting the NVidia Turing T4 GPU, section 4.2 and table 4.2: latency by contention, of a pair of atomic and load. What a portable
/// kernel can say in their place: chains through what operations return, and pairs whose loads follow by program order alone.
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
                        .follows = {"line"}}},
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
    using Type = ParameterSpec::Type;
    return {
        {"operation",
         Type::words,
         {"add", "min", "exchange", "compare-exchange", "and-or"},
         "add,min,exchange,compare-exchange,and-or",
         "operations to measure; and-or alternates OR and AND"},
        {"type",
         Type::words,
         {"int32", "int64", "float"},
         "int32,int64,float",
         "type of the words: 32-bit or 64-bit integers, or 32-bit floats (add only)"},
        {"memory", Type::words, {"global", "local"}, "global,local", "memory of the words"},
        {"method",
         Type::words,
         {"chain", "pair"},
         "chain,pair",
         "chain: the next address needs the returned value; pair: it needs a load of the same word after the operation, and that "
         "load alone is the control"},
        {"placement",
         Type::words,
         {"address", "line"},
         "address,line",
         "address: all lanes use one word; line: each lane has its own word in one line"},
        {"lanes",
         Type::number,
         {},
         "auto",
         "contending lanes of one work-group; auto: 1, 2, 4 ... a subgroup, then several (quick and CPUs: fewer)"},
        {"lines",
         Type::number,
         {},
         "auto",
         "lines of 128 B (at most 1024) to try with one lane first, because the place of a line in a shared cache matters; "
         "everything else uses the nearest; auto: 16 (quick and CPUs: 1)"},
    };
  }

  std::vector<Point> plan(const DeviceInfo& device, const Options& options, std::span<const PointResult> done) const override {
    std::vector<Point> points = line_points(device, options);
    if (!still_open(points, done).empty()) return points;
    const std::optional<std::int64_t> line = nearest_line(points, done);
    for (const auto& memory : word_list(options.value("memory"))) {
      for (const auto& method : word_list(options.value("method"))) {
        for (const auto& [operation, type] : operations_on_types(options)) {
          if (!wants_method(options, type, method)) continue;
          for (const auto& placement : word_list(options.value("placement"))) {
            for (const std::uint32_t lanes : lanes_for(device, options, operation, type, placement)) {
              Point point{name(),
                          {{"operation", operation},
                           {"type", type},
                           {"memory", memory},
                           {"method", method},
                           {"placement", placement},
                           {"lanes", std::int64_t{lanes}}}};
              if (memory == "global") point.parameters["line"] = line.value_or(0);
              points.push_back(std::move(point));
            }
          }
        }
      }
    }
    return points;
  }

  std::optional<std::string> unsupported(const DeviceInfo& device, const Point& point) const override {
    const What what = of(point);
    if (what.lanes > device.max_group_size) return fmt::format("a work-group has at most {} invocations", device.max_group_size);
    if (what.local && device.local_memory_bytes < kLineBytes) return "the device has no local memory";
    const AtomicType type = what.type.type;
    if (const std::uint32_t words = line_words(device, type); what.own_words && what.lanes > words)
      return fmt::format("a line of {} B has {} words", words * word_bytes(type), words);
    if (what.operation.operation == AtomicOperation::and_or && !what.own_words && what.lanes > 8 * word_bytes(type))
      return fmt::format("each lane checks one bit, and a word has {}", 8 * word_bytes(type));
    const WideAtomics& atomics = what.local ? device.local_atomics : device.global_atomics;
    const char* const where = what.local ? "local" : "global";
    if (type == AtomicType::int64 && !atomics.int64)
      return fmt::format("no 64-bit integer atomics in {} memory on this device", where);
    if (type == AtomicType::float32 && !atomics.float_add)
      return fmt::format("no floating-point atomic add in {} memory on this device", where);
    return std::nullopt;
  }

  Trial prepare(Device& device, const Point& point, std::uint64_t /*seed*/) const override {
    const What what = of(point);
    What control = what;
    control.step = what.step == Step::chain ? Step::none : Step::load;
    control.operation = kAtomicOperations[0];  // has none: one kernel for all
    const auto words = device.create(BufferDesc{std::uint64_t{kLineBytes} * (what.local ? 1 : kLines)});
    const auto new_out = [&] { return device.create(BufferDesc{(kResultWords + kLaneWords * what.lanes) * kWordBytes}); };
    const auto out = new_out();
    const auto control_out = new_out();
    Trial trial;
    trial.timed = looped(device, what, words, out);
    trial.control = looped(device, control, words, control_out);
    const std::uint64_t steps = std::uint64_t{kOpsPerLoop} * what.lanes;
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
  /// The types beside the first are measured by the first method alone, but for `full`.
  static bool wants_method(const Options& options, const std::string& type, const std::string& method) {
    return type == kAtomicTypes[0].name || options.preset == Preset::full || method == word_list(options.value("method")).front();
  }

  /// What of both lists goes together. Throws UsageError when nothing does.
  static std::vector<std::pair<std::string, std::string>> operations_on_types(const Options& options) {
    std::vector<std::pair<std::string, std::string>> both;
    for (const auto& operation : word_list(options.value("operation"))) {
      for (const auto& type : word_list(options.value("type"))) {
        if (type != "float" || operation == "add") both.emplace_back(operation, type);
      }
    }
    if (both.empty()) throw UsageError("--set type=float: atomic-latency measures only operation add with type float");
    return both;
  }

  /// One lane alone, on one line after the other; none where one line will do.
  std::vector<Point> line_points(const DeviceInfo& device, const Options& options) const {
    const auto memories = word_list(options.value("memory"));
    const std::uint32_t lines = lines_for(device, options);
    std::vector<Point> points;
    if (lines == 1 || std::find(memories.begin(), memories.end(), "global") == memories.end()) return points;
    const auto [operation, type] = operations_on_types(options).front();
    const std::uint32_t step = kLines / lines;  // some of everything: the parts of a cache take turns by few or many lines
    for (std::uint32_t i = 0; i < lines; ++i) {
      points.push_back({name(),
                        {{"operation", operation},
                         {"type", type},
                         {"memory", "global"},
                         {"method", word_list(options.value("method")).front()},
                         {"placement", "address"},
                         {"lanes", std::int64_t{1}},
                         {"line", std::int64_t{i * step + i % step}}}});
    }
    return points;
  }

  /// The line on which a lane alone was done soonest; none where that was not asked, or nothing was measured.
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
    const auto& wanted = options.value("lines");
    if (wanted == "auto") return options.preset == Preset::quick || device.type == DeviceType::cpu ? 1 : kUsualLines;
    const auto lines = std::stoul(wanted);
    if (lines > kLines) throw UsageError(fmt::format("--set lines={}: atomic-latency has {} lines", wanted, kLines));
    return static_cast<std::uint32_t>(lines);
  }

  /// All numbers of lanes for the first operation on the first type, the ends of the sweep for the others. Placement line begins with two: one lane has a line to
  /// itself anyway, and it ends with the words of a line.
  static std::vector<std::uint32_t> lanes_for(const DeviceInfo& device, const Options& options, const std::string& operation,
                                              const std::string& type, const std::string& placement) {
    if (const auto& wanted = options.value("lanes"); wanted != "auto") return {static_cast<std::uint32_t>(std::stoul(wanted))};
    const bool full = options.preset == Preset::full;
    const bool few = options.preset == Preset::quick || (!full && device.type == DeviceType::cpu);
    const bool main = operation == kAtomicOperations[0].name && type == kAtomicTypes[0].name;
    const bool line = placement == "line";
    if (line && !main && !full) return {};
    const std::uint32_t most = std::min(line ? line_words(device, atomic_type(type).type) : kMostLanes, device.max_group_size);
    const std::uint32_t subgroup = std::min(subgroup_lanes(device), most);

    std::vector<std::uint32_t> lanes;
    const auto add = [&](std::uint32_t count) {
      if (count <= most && std::find(lanes.begin(), lanes.end(), count) == lanes.end()) lanes.push_back(count);
    };
    add(1);
    if (full || (main && !few)) {
      for (std::uint32_t count = 2; count < subgroup; count *= 2) add(count);
    }
    if (main || !few) add(subgroup);
    if (full) {
      for (std::uint32_t count = 2 * subgroup; count < most; count *= 2) add(count);
    } else if (main) {
      add(4 * subgroup);
    }
    if (full || (main && !few)) add(most);
    if (line) std::erase(lanes, 1u);
    return lanes;
  }

  static What of(const Point& point) {
    What what;
    what.operation = atomic_operation(word(point.parameters, "operation"));
    what.type = atomic_type(word(point.parameters, "type"));
    what.step = word(point.parameters, "method") == "pair" ? Step::pair : Step::chain;
    what.local = word(point.parameters, "memory") == "local";
    what.own_words = word(point.parameters, "placement") == "line";
    what.lanes = static_cast<std::uint32_t>(integer(point.parameters, "lanes"));
    if (point.parameters.contains("line")) what.line = static_cast<std::uint32_t>(integer(point.parameters, "line"));
    return what;
  }
};

const RegisterExperiment registered(std::make_unique<AtomicLatency>());

}  // namespace
}  // namespace percycle
