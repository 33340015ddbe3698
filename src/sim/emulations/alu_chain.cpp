#include <cstring>

#include "expected/alu_chain.hpp"
#include "sim/emulations/emulations.hpp"

namespace percycle::sim {
namespace {

constexpr std::uint64_t kOpsPerPair = 2;

void alu_chain(const Execution& run, MemoryModel& memory) {
  const std::uint64_t pairs = std::uint64_t{run.parameter("loops")} * run.number("PAIRS");
  for (std::uint32_t lane = 0; lane < run.kernel.local_size; ++lane) {
    const std::uint32_t end = alu_chain_end(run.parameter("start") + lane, pairs);
    std::memcpy(run.bindings[0]->bytes().data() + std::size_t{lane} * sizeof end, &end, sizeof end);
  }
  memory.compute({}, pairs * kOpsPerPair);
}

const RegisterEmulation registered_alu_chain("alu_chain", alu_chain);

}  // namespace
}  // namespace percycle::sim
