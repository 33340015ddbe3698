#include "experiments/atomics/parts/atomic_latency.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "device/values.hpp"
#include "expected/atomic_latency.hpp"
#include "experiments/atomics/parts/subgroup_lanes.hpp"
#include "experiments/common/execution_mode.hpp"

namespace percycle {
namespace {

// Layout and parameters of kernel pair `atomic_latency`.
constexpr std::uint32_t kAtomicsPerTurn = 16;
constexpr std::uint32_t kLineBytes = 128;
constexpr std::size_t kFinalWords = 8;
constexpr std::size_t kResultWords = 40;
constexpr std::size_t kLaneWords = 3;
const std::vector<KernelParameter> kAtomicLatencyParameters{{"loops", "turns of 16 operations"},
                                                            {"lanes", "lanes that take part"},
                                                            {"spread", "words from lane to lane"},
                                                            {"zero", "0"},
                                                            {"start", "first value of every word: all its bits or the low half"},
                                                            {"high", "high half of the first value"},
                                                            {"first", "first word of the line; 0 in local memory"}};
constexpr std::uint64_t kOtherPasses = 2 * 32 + 3;  // iterations of other loops, last checks

constexpr std::uint32_t kOutWordBytes = 4;  // of the output
// Control steps of all lanes together: CPUs run one lane after the other.
constexpr std::uint64_t kControlSteps = std::uint64_t{1} << 22;

const char* definition_of(AtomicStep step) {
  switch (step) {
    case AtomicStep::chain:
      return "METHOD_CHAIN";
    case AtomicStep::pair:
      return "METHOD_PAIR";
    case AtomicStep::load:
      return "METHOD_LOAD";
    case AtomicStep::none:
      return "METHOD_NONE";
  }
  return "";
}

bool has_operation(AtomicStep step) { return step == AtomicStep::chain || step == AtomicStep::pair; }

/// The first value of the words. The control also needs words that are not 0.
std::uint64_t start_of(const AtomicChains& config) {
  return atomic_start(has_operation(config.step) ? config.operation.operation : AtomicOperation::add, config.type.type);
}

/// Work-group size: one kernel serves all numbers of lanes up to a subgroup.
std::uint32_t group_size(const DeviceInfo& device, const AtomicChains& config) {
  return std::max(config.lanes, std::min(subgroup_lanes(device), device.max_group_size));
}

/// The expected sum of a control lane: the loaded words, or the low half of the first value.
std::uint64_t control_sum(const AtomicChains& config, std::uint64_t operations) {
  const std::uint64_t bits = bits_of(config.type.type, start_of(config));
  const std::uint64_t each = config.step == AtomicStep::load ? bits : static_cast<std::uint32_t>(bits);
  return wrapped(config.type.type, operations * each);
}

/// The final bits of a word.
std::uint64_t word_at(std::span<const std::byte> line, std::size_t word, AtomicType type) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, line.data() + word * word_bytes(type), word_bytes(type));
  return bits;
}

std::vector<TurnAccess> turn_of(const AtomicChains& config) {
  std::vector<TurnAccess> all;
  const auto add = [&](AccessKind kind, bool returns) {
    all.push_back(
        {config.local ? MemoryPath::local : MemoryPath::global, kind, word_bytes(config.type.type), kAtomicsPerTurn, returns});
  };
  if (has_operation(config.step)) add(AccessKind::atomic, true);
  if (config.step == AtomicStep::pair || config.step == AtomicStep::load) add(AccessKind::read, false);
  return all;
}

/// The dispatch and its check, for the operations and for their control.
LoopedDispatch looped(Device& device, const AtomicChains& config, const std::shared_ptr<Buffer>& words,
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
                        .parameters = kAtomicLatencyParameters,
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
  looped.ops_per_loop = kAtomicsPerTurn;
  looped.turn = turn_of(config);
  looped.max_loops = std::min(passes > kOtherPasses ? passes - kOtherPasses : 1,
                              most_operations(type) / (std::uint64_t{kAtomicsPerTurn} * config.lanes) - 1);
  looped.verify = [config, type, out](Device& on, std::uint64_t loops) {
    const auto found = read_values<std::uint32_t>(on, *out, kResultWords + kLaneWords * config.lanes);
    std::vector<LaneTotals> totals;
    for (std::size_t at = kResultWords; at < found.size(); at += kLaneWords) {
      totals.push_back({found[at] | std::uint64_t{found[at + 1]} << 32, found[at + 2]});
    }
    const std::uint64_t operations = loops * kAtomicsPerTurn;
    if (!has_operation(config.step)) {
      const std::uint64_t right = control_sum(config, operations);
      const bool all =
          std::all_of(totals.begin(), totals.end(), [&](const LaneTotals& lane) { return lane.sum == right && lane.count == 0; });
      return all ? Outcome{} : Outcome{Status::invalid, "the control loaded wrong values"};
    }
    const auto line = std::as_bytes(std::span(found).subspan(kFinalWords));
    std::vector<std::uint64_t> ends;
    for (std::size_t word = 0; word < kLineBytes / word_bytes(type); ++word) ends.push_back(word_at(line, word, type));
    const AtomicRun run{config.operation.operation, operations, config.step == AtomicStep::pair, config.own_words, type};
    const auto wrong = wrong_totals(run, ends, totals);
    return wrong ? Outcome{Status::invalid, fmt::format("{} after {} operations of each lane", *wrong, operations)} : Outcome{};
  };
  return looped;
}

}  // namespace

std::uint32_t atomic_line_words(const DeviceInfo& device, AtomicType type) {
  return std::min(device.cache_line_bytes.value_or(kLineBytes), kLineBytes) / word_bytes(type);
}

std::optional<std::string> atomic_chains_unsupported(const DeviceInfo& device, const AtomicChains& config) {
  if (config.lanes > device.max_group_size) return fmt::format("a work-group has at most {} invocations", device.max_group_size);
  if (config.local && device.local_memory_bytes < kLineBytes) return "the device has no local memory";
  const AtomicType type = config.type.type;
  if (const std::uint32_t words = atomic_line_words(device, type); config.own_words && config.lanes > words)
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

Trial atomic_chains_trial(Device& device, const AtomicChains& config) {
  AtomicChains control = config;
  control.step = config.step == AtomicStep::chain ? AtomicStep::none : AtomicStep::load;
  control.operation = kAtomicOperations[0];  // unused: one control kernel for all operations
  const auto words = device.create(BufferDesc{std::uint64_t{kLineBytes} * (config.local ? 1 : kAtomicLines)});
  const auto new_out = [&] { return device.create(BufferDesc{(kResultWords + kLaneWords * config.lanes) * kOutWordBytes}); };
  const auto out = new_out();
  const auto control_out = new_out();
  Trial trial;
  trial.timed = looped(device, config, words, out);
  trial.control = looped(device, control, words, control_out);
  const std::uint64_t steps = std::uint64_t{kAtomicsPerTurn} * config.lanes;
  trial.control->max_loops = std::min(trial.control->max_loops, std::max<std::uint64_t>(kControlSteps / steps, 1));
  trial.clocks = ClockReadings{out, 0};
  trial.control_clocks = ClockReadings{control_out, 0};
  trial.repeatable = true;
  observe_subgroup_size(trial, device);
  return trial;
}

}  // namespace percycle
