#include <cstring>
#include <numeric>
#include <vector>

#include "expected/alu_chain.hpp"
#include "sim/emulations/emulations.hpp"

namespace percycle::sim {
namespace {

constexpr std::uint64_t kOpsPerPair = 2;
constexpr std::uint32_t kLanes = 32;  // of a subgroup; a reader compares two work-groups only

void alu_chain(const Execution& run, MemoryModel& memory) {
  const std::uint64_t pairs = std::uint64_t{run.parameter("loops")} * run.number("PAIRS");
  for (std::uint32_t lane = 0; lane < run.kernel.local_size; ++lane) {
    const std::uint32_t end = alu_chain_end(run.parameter("start") + lane, pairs);
    std::memcpy(run.bindings[0]->bytes().data() + std::size_t{lane} * sizeof end, &end, sizeof end);
  }
  const std::uint32_t subgroups = run.kernel.local_size / kLanes;
  if (run.groups == 1 && subgroups <= 1) return memory.compute({}, pairs * kOpsPerPair);
  OperationStream stream{.subgroups = std::vector<std::uint32_t>(subgroups), .steps = pairs * kOpsPerPair, .name = "int32-add"};
  std::iota(stream.subgroups.begin(), stream.subgroups.end(), 0u);
  std::vector<OperationStream> streams(run.groups, stream);
  for (std::uint32_t group = 0; group < run.groups; ++group) streams[group].group = group;
  (void)memory.operation_streams(streams);
}

const RegisterEmulation registered_alu_chain("alu_chain", alu_chain);

}  // namespace
}  // namespace percycle::sim
