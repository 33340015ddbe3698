#include "expected/branches.hpp"

#include <cstring>
#include <set>

#include "sim/clock_pair.hpp"
#include "sim/emulations/emulations.hpp"

namespace percycle::sim {
namespace {

constexpr std::uint64_t kOpsOfATurn = 4;  // the conditions, the loop

/// The work-group is one subgroup, which runs every side that any of its lanes takes.
void branches(const Execution& run, MemoryModel& memory) {
  const BranchSides sides{.depth = run.number("DEPTH"), .operations = run.number("OPERATIONS")};
  const auto starts = run.bindings[0]->bytes();
  const auto words = run.bindings[1]->bytes();
  const auto out = run.bindings[2]->bytes();
  const std::uint64_t loops = run.parameter("loops");
  std::set<std::uint32_t> taken;
  for (std::uint32_t lane = 0; lane < run.kernel.local_size; ++lane) {
    std::uint32_t side = 0;
    for (std::uint32_t level = 0; level < sides.depth; ++level) {
      if (word_at(words, kDeepestBranches * lane + level) != 0) side |= 1u << level;
    }
    taken.insert(side);
    const std::uint64_t end = sides.end(word_at(starts, lane), side, loops);
    std::memcpy(out.data() + kClockBytes + lane * sizeof end, &end, sizeof end);
  }
  ClockPair clocks(memory);
  memory.compute({}, loops * kOpsOfATurn);
  memory.operate({}, loops * taken.size() * sides.operations, "int32-add");
  clocks.end();
  clocks.write(out);
}

const RegisterEmulation registered_branches("branches", branches);

}  // namespace
}  // namespace percycle::sim
