#include <array>
#include <cstring>

#include "sim/clock_pair.hpp"
#include "sim/emulations/emulations.hpp"

namespace percycle::sim {
namespace {

/// Both chains are walks of one actor: its turns take one after the other.
void sharing(const Execution& run, MemoryModel& memory) {
  const bool constant = run.is("FIRST", "PATH_CONSTANT");
  const std::uint32_t second_binding = constant ? 0 : 1;
  const auto state = run.bindings.back()->bytes();
  std::array<std::uint32_t, 2> links{};
  std::memcpy(links.data(), state.data() + kClockBytes, sizeof links);
  const std::array chains{
      constant ? run.constants.chain_through(links[0], kConstantBytes) : run.bindings[0]->chain_through(links[0], kWordBytes),
      run.bindings[second_binding]->chain_through(links[1], kWordBytes)};
  const auto turn = [&](std::size_t i, MemoryPath path, std::uint32_t binding) {
    return Walk{{}, path, binding, chains[i].image, chains[i].base, chains[i].position_of(links[i]), 0};
  };
  std::array turns{turn(0, constant ? MemoryPath::constant : MemoryPath::texture, 0),
                   turn(1, MemoryPath::global, second_binding)};
  const auto walk = [&](std::uint64_t count) {
    for (auto& each : turns) each.steps = count * kLoadsPerTurn;
    memory.walk(turns);
    for (auto& each : turns) each.position += each.steps;
  };
  walk(run.parameter("warm_loops"));
  ClockPair clocks(memory);
  walk(run.parameter("loops"));
  clocks.end();
  clocks.write(state);
  for (std::size_t i = 0; i < links.size(); ++i) links[i] = chains[i].link_to(turns[i].position);
  std::memcpy(state.data() + kClockBytes, links.data(), sizeof links);
}

const RegisterEmulation registered_sharing("sharing", sharing);

}  // namespace
}  // namespace percycle::sim
