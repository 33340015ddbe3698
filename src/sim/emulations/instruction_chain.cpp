#include "expected/instruction_chain.hpp"

#include <array>
#include <cstring>
#include <map>

#include "sim/clock_pair.hpp"
#include "sim/emulations/emulations.hpp"

namespace percycle::sim {
namespace {

constexpr std::uint64_t kOverheadOps = 4;  // of a turn: the hash, the loop
constexpr std::size_t kWordsOfLane = 2;

void instruction_chain(const Execution& run, MemoryModel& memory) {
  const ChainOperation& operation = *find_chain_operation(run.definition("CHAIN"));
  const auto starts = run.bindings[0]->bytes();
  const auto operands = run.bindings[1]->bytes();
  const auto out = run.bindings[2]->bytes();
  const std::uint64_t loops = run.parameter("loops");
  const std::uint32_t pairs = run.number("PAIRS");
  const std::uint32_t helper_pairs = run.is_defined("HELPER_PAIRS") ? run.number("HELPER_PAIRS") : 0;
  ClockPair clocks(memory);
  memory.compute({}, loops * kOverheadOps);
  if (operation.has_helper()) memory.compute({}, 2 * loops * pairs);
  memory.operate({}, 2 * loops * (pairs - helper_pairs), operation.name);
  clocks.end();
  std::map<std::uint32_t, ChainEnd> ends;
  for (std::uint32_t lane = 0; lane < run.kernel.local_size; ++lane) {
    std::uint32_t start = 0;
    std::array<std::uint64_t, 2> lane_operands{};
    std::memcpy(&start, starts.data() + lane * sizeof start, sizeof start);
    std::memcpy(&lane_operands, operands.data() + lane * sizeof lane_operands, sizeof lane_operands);
    const auto [known, is_new] = ends.try_emplace(start);
    if (is_new) {
      std::uint32_t neighbour = start;
      const std::uint32_t next = lane ^ 1u;
      if (next < run.kernel.local_size) std::memcpy(&neighbour, starts.data() + next * sizeof neighbour, sizeof neighbour);
      const ChainRun lane_run{.loops = loops,
                              .pairs = pairs,
                              .helper_pairs = helper_pairs,
                              .start = start,
                              .neighbour_start = neighbour,
                              .is_odd = lane % 2 == 1,
                              .lanes = run.kernel.local_size,
                              .mask = run.parameter("mask"),
                              .even_operand = lane_operands[0],
                              .odd_operand = lane_operands[1]};
      known->second = chain_end(operation, operation.expression, lane_run);
    }
    const std::uint64_t hash = known->second.hash;
    const std::size_t at = kClockBytes + kWordsOfLane * lane * sizeof(std::uint64_t);
    std::memcpy(out.data() + at, &hash, sizeof hash);
    std::memcpy(out.data() + at + sizeof hash, &known->second.value, sizeof hash);
  }
  clocks.write(out);
}

const RegisterEmulation registered_instruction_chain("instruction_chain", instruction_chain);

}  // namespace
}  // namespace percycle::sim
