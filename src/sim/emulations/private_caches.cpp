#include <cstring>
#include <vector>

#include "sim/clock_pair.hpp"
#include "sim/emulations/emulations.hpp"

namespace percycle::sim {
namespace {

/// A subgroup that walks, and the links of its lanes.
struct WalkingSubgroup {
  BoundChain chain;
  std::span<std::byte> links;
};

void private_caches(const Execution& run, MemoryModel& memory) {
  const std::uint32_t lanes = run.number("SUBGROUP_SIZE");
  const std::uint32_t subgroups = run.kernel.local_size / lanes;
  const bool constant = run.is("PATH", "PATH_CONSTANT");
  BoundMemory& memory_of_chains = constant ? run.constants : *run.bindings[0];
  const MemoryPath path = constant                         ? MemoryPath::constant
                          : run.is("PATH", "PATH_TEXTURE") ? MemoryPath::texture
                                                           : MemoryPath::global;
  const auto state = run.bindings.back()->bytes();
  std::vector<WalkingSubgroup> walkers;
  std::vector<Walk> together;
  for (std::uint32_t group = 0; group < run.groups; ++group) {
    const std::uint32_t walking = run.parameter(group == 0 ? "first" : "others");
    for (std::uint32_t subgroup = 0; subgroup < subgroups; ++subgroup) {
      if ((walking >> subgroup & 1u) == 0) continue;
      const std::size_t first_lane = (std::size_t{group} * subgroups + subgroup) * lanes;
      const auto links = state.subspan(kClockBytes + first_lane * kWordBytes, std::size_t{lanes} * kWordBytes);
      std::uint32_t link = 0;
      std::memcpy(&link, links.data(), sizeof link);
      walkers.push_back({memory_of_chains.chain_through(link, constant ? kConstantBytes : kWordBytes), links});
      const BoundChain& chain = walkers.back().chain;
      together.push_back({.actor = {group, subgroup},
                          .path = path,
                          .binding = 0,
                          .image = chain.image,
                          .base = chain.base,
                          .position = chain.position_of(link),
                          .steps = 0});
    }
  }
  const auto walk = [&](std::uint64_t turns) {
    for (auto& each : together) each.steps = turns * kLoadsPerTurn;
    memory.walk(together);
    for (auto& each : together) each.position += each.steps;
  };
  walk(run.parameter("warm_loops"));
  ClockPair clocks(memory);
  walk(run.parameter("loops"));
  clocks.end();
  clocks.write(state);
  for (std::size_t i = 0; i < walkers.size(); ++i) {
    const std::uint32_t link = walkers[i].chain.link_to(together[i].position);
    const auto links = walkers[i].links;
    for (std::size_t at = 0; at < links.size(); at += sizeof link) std::memcpy(links.data() + at, &link, sizeof link);
  }
}

const RegisterEmulation registered_private_caches("private_caches", private_caches);

}  // namespace
}  // namespace percycle::sim
