#include "expected/queues.hpp"

#include "sim/emulations/emulations.hpp"

namespace percycle::sim {
namespace {

/// All lanes compute at the same time.
void queues(const Execution& run, MemoryModel& memory) {
  const std::uint64_t turns = run.parameter("loops");
  memory.compute({}, turns * kQueuesSteps);
  const auto sums = run.bindings[0]->bytes();
  const std::uint32_t factor = run.is_defined("ORDERED") ? 3 : 1;
  for (std::uint32_t i = 0; i < run.groups * run.kernel.local_size; ++i)
    put_word(sums, i, factor * word_at(sums, i) + queues_sum(i, turns, 1));
}

const RegisterEmulation registered_queues("queues", queues);

}  // namespace
}  // namespace percycle::sim
