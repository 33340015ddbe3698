#include <cstring>
#include <vector>

#include "expected/atomic_lane.hpp"
#include "expected/atomic_operations.hpp"
#include "sim/clock_pair.hpp"
#include "sim/emulations/emulations.hpp"

namespace percycle::sim {
namespace {

constexpr std::uint32_t kLineBytes = 128;
constexpr std::size_t kFinalBytes = 32;
constexpr std::size_t kResultBytes = 160;

/// The operations of a loop turn.
struct Turn {
  bool operates = false;
  bool loads = false;
};

Turn turn_of(const Execution& run) {
  const std::string& method = run.definition("METHOD");
  return {.operates = method == "METHOD_CHAIN" || method == "METHOD_PAIR",
          .loads = method == "METHOD_PAIR" || method == "METHOD_LOAD"};
}

/// The lanes take turns, one operation each. `words` are numbers.
std::vector<LaneTotals> all_steps(const Execution& run, AtomicType type, std::uint64_t operations,
                                  std::span<std::uint64_t> words) {
  const Turn turn = turn_of(run);
  // A lane sums the bits of the words that it loads, or only the low half of the start.
  if (!turn.operates) {
    const std::uint64_t bits = run.parameter("start") | (turn.loads ? std::uint64_t{run.parameter("high")} << 32 : 0);
    return std::vector<LaneTotals>(run.parameter("lanes"), {wrapped(type, operations * bits), 0});
  }
  const AtomicOperation operation = atomic_operation_defined(run.definition("OPERATION")).operation;
  const std::uint32_t lanes = run.parameter("lanes");
  const std::uint32_t spread = run.parameter("spread");
  std::vector<AtomicLane> all;
  for (std::uint32_t lane = 0; lane < lanes; ++lane) all.emplace_back(operation, type, lane, lanes);
  for (std::uint64_t i = 0; i < operations; ++i) {
    for (std::size_t lane = 0; lane < all.size(); ++lane) {
      std::uint64_t& word = words[lane * spread];
      all[lane].operate(word);
      if (turn.loads) all[lane].load(word);
    }
  }
  std::vector<LaneTotals> totals;
  for (const auto& lane : all) totals.push_back(lane.totals());
  return totals;
}

void atomic_latency(const Execution& run, MemoryModel& memory) {
  const AtomicType type = atomic_type_defined(run.definition("WORD_TYPE")).type;
  const std::uint32_t bytes = word_bytes(type);
  const std::uint64_t operations = std::uint64_t{run.parameter("loops")} * kAtomicsPerLoop;
  const bool local = run.is("MEMORY", "MEMORY_LOCAL");
  const MemoryPath path = local ? MemoryPath::local : MemoryPath::global;
  const std::uint64_t line_offset = std::uint64_t{run.parameter("first")} * bytes;
  const Turn turn = turn_of(run);
  ClockPair clocks(memory);
  if (turn.operates) {
    memory.atomics({.path = path,
                    .binding = 0,
                    .offset = line_offset,
                    .contenders = run.parameter("spread") != 0 ? 1 : run.parameter("lanes"),
                    .operations = operations});
  }
  if (turn.loads) {
    for (std::uint64_t i = 0; i < operations; ++i) memory.access({}, path, 0, line_offset, bytes, AccessKind::read);
  }
  memory.compute({}, 2 * operations);  // the mask and the addition
  clocks.end();

  const std::uint64_t bits_at_first = run.parameter("start") | std::uint64_t{run.parameter("high")} << 32;
  std::vector<std::uint64_t> words(kLineBytes / bytes, number_of(type, bits_at_first));
  const auto totals = all_steps(run, type, operations, words);
  std::vector<std::byte> line(kLineBytes);
  for (std::size_t word = 0; word < words.size(); ++word) {
    const std::uint64_t bits = bits_of(type, words[word]);
    std::memcpy(line.data() + word * bytes, &bits, bytes);
  }
  std::vector<std::uint32_t> sums;
  for (const LaneTotals& lane : totals) {
    const std::uint64_t sum = wrapped(type, lane.sum);
    sums.insert(sums.end(), {static_cast<std::uint32_t>(sum), static_cast<std::uint32_t>(sum >> 32), lane.count});
  }
  const auto put = [&](std::size_t binding, std::size_t at, std::span<const std::byte> from) {
    std::memcpy(run.bindings[binding]->bytes().data() + at, from.data(), from.size());
  };
  if (!local) put(0, line_offset, line);
  clocks.write(run.bindings[1]->bytes());
  put(1, kFinalBytes, line);
  put(1, kResultBytes, std::as_bytes(std::span(sums)));
}

const RegisterEmulation registered_atomic_latency("atomic_latency", atomic_latency);

}  // namespace
}  // namespace percycle::sim
