#include <cstring>

#include "sim/clock_pair.hpp"
#include "sim/emulations/emulations.hpp"

namespace percycle::sim {
namespace {

constexpr std::uint32_t kLinkTexelBytes = 8;

/// All lanes hold the same link, so their loads are one access.
void texture_latency(const Execution& run, MemoryModel& memory) {
  const auto state = run.bindings[1]->bytes();
  const std::uint64_t width = run.parameter("width");
  const ChainImage* chain = run.bindings[0]->chain();
  const auto texels = chain != nullptr ? std::span<const std::byte>{} : run.bindings[0]->contents();
  const auto texel_of = [&](std::uint32_t link) { return (link >> 16) * width + (link & 0xffff); };
  std::uint32_t at = word_at(state, 0);
  const auto follow = [&](std::uint64_t steps) {
    if (chain != nullptr) {
      const Walk walk{{}, MemoryPath::texture, 0, tiled(*chain), 0, chain->position_of(at, 0), steps};
      memory.walk({&walk, 1});
      at = static_cast<std::uint32_t>(chain->link_to(walk.position + steps, 0));
      return;
    }
    for (std::uint64_t step = 0; step < steps; ++step) {
      const std::uint64_t offset = texel_of(at) * kLinkTexelBytes;
      memory.access({}, MemoryPath::texture, 0, offset, kLinkTexelBytes, AccessKind::read);
      at = word_at(texels, offset / kWordBytes);
    }
  };
  follow(kLoadsPerTurn * run.parameter("warm_loops"));
  ClockPair clocks(memory);
  follow(kLoadsPerTurn * run.parameter("loops"));
  clocks.end();
  const auto out = run.bindings[2]->bytes();
  const std::uint64_t link = at;
  const std::uint64_t texel = texel_of(at);
  for (std::uint32_t lane = 0; lane < run.parameter("lanes"); ++lane) {
    std::memcpy(state.data() + lane * sizeof link, &link, sizeof link);
    std::memcpy(out.data() + kClockBytes + lane * sizeof texel, &texel, sizeof texel);
  }
  clocks.write(out);
}

const RegisterEmulation registered_texture_latency("texture_latency", texture_latency);

}  // namespace
}  // namespace percycle::sim
