#include <cstring>

#include "expected/block_program.hpp"
#include "sim/clock_pair.hpp"
#include "sim/emulations/emulations.hpp"
#include "sim/instructions.hpp"

namespace percycle::sim {
namespace {

void instruction_cache(const Execution& run, MemoryModel& memory) {
  const BlockProgram program{.block = run.number("BLOCK"), .blocks = run.number("BLOCKS")};
  const std::uint64_t blocks = run.parameter("blocks");
  const std::uint64_t loops = run.parameter("loops");
  ClockPair clocks(memory);
  memory.execute({.blocks = blocks, .instructions = program.block * blocks * loops});
  clocks.end();

  const auto starts = run.bindings[0]->contents();
  const auto sums = run.bindings[1]->bytes();
  const auto growth = static_cast<float>((loops + run.parameter("warm_loops")) * blocks * program.growth_per_block());
  for (std::size_t at = 0; at < sums.size(); at += sizeof(float)) {
    float sum = 0;
    std::memcpy(&sum, starts.data() + at, sizeof sum);
    sum += growth;
    std::memcpy(sums.data() + at, &sum, sizeof sum);
  }
  clocks.write(run.bindings[2]->bytes());
}

const RegisterEmulation registered_instruction_cache("instruction_cache", instruction_cache);

}  // namespace
}  // namespace percycle::sim
