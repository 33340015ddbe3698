#include <cstring>
#include <set>
#include <vector>

#include "sim/clock_pair.hpp"
#include "sim/emulations/emulations.hpp"

namespace percycle::sim {
namespace {

void constant_words(const Execution& run, MemoryModel& memory) {
  const auto state = run.bindings[0]->bytes();
  std::vector<std::uint32_t> links(run.kernel.local_size);
  std::memcpy(links.data(), state.data() + kClockBytes, links.size() * sizeof links[0]);
  const auto chain = run.constants.chain_through(links[0], kConstantBytes);
  Walk walk{.actor = {},
            .path = MemoryPath::constant,
            .binding = 0,
            .image = chain.image,
            .base = chain.base,
            .position = chain.position_of(links[0]),
            .steps = 0,
            .words = static_cast<std::uint32_t>(std::set(links.begin(), links.end()).size())};
  std::uint64_t walked = 0;
  const auto follow = [&](std::uint64_t turns) {
    walk.steps = turns * kLoadsPerTurn;
    memory.walk({&walk, 1});
    walk.position += walk.steps;
    walked += walk.steps;
  };
  follow(run.parameter("warm_loops"));
  ClockPair clocks(memory);
  follow(run.parameter("loops"));
  clocks.end();
  clocks.write(state);
  for (auto& link : links) link = chain.link_to(chain.position_of(link) + walked);
  std::memcpy(state.data() + kClockBytes, links.data(), links.size() * sizeof links[0]);
}

const RegisterEmulation registered_constant_words("constant_words", constant_words);

}  // namespace
}  // namespace percycle::sim
