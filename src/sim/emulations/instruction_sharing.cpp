#include <cstring>
#include <optional>
#include <vector>

#include "expected/block_program.hpp"
#include "sim/emulations/emulations.hpp"
#include "sim/instructions.hpp"

namespace percycle::sim {
namespace {

constexpr std::uint64_t kLoadsPerRow = 8;

// Words of `state`.
constexpr std::size_t kStepsWord = 8;
constexpr std::size_t kSeatsWord = 10;
constexpr std::size_t kFirstLinkWord = 12;
constexpr std::size_t kLastLinksWord = 16;

/// A subgroup that runs blocks of its program.
struct SharedSide {
  Actor actor;
  std::uint64_t blocks = 0;
};

/// The numbers of both subgroups after their additions.
void put_sums(const Execution& run, std::size_t first_aggressor, std::uint64_t by_victim, std::uint64_t by_aggressor) {
  auto sums = values_of<float>(*run.bindings[0]);
  const auto grow = [&](std::size_t first_lane, std::uint64_t by) {
    const std::size_t numbers = std::size_t{run.number("SUBGROUP_SIZE")} * BlockProgram::kNumbers;
    for (float& sum : std::span(sums).subspan(first_lane * BlockProgram::kNumbers, numbers)) sum += static_cast<float>(by);
  };
  grow(0, by_victim);
  grow(first_aggressor, by_aggressor);
  put_values(*run.bindings[1], sums);
}

/// The aggressor's turns, then the victim's: only what they leave in the caches matters.
void instruction_sharing(const Execution& run, MemoryModel& memory) {
  const BlockProgram program{.block = run.number("BLOCK")};
  const bool constants = run.is_defined("CONSTANT_VICTIM");
  const bool across = run.parameter("across") != 0;
  const std::uint32_t lanes = run.number("SUBGROUP_SIZE");
  const std::uint64_t passes = run.parameter("passes");
  const std::uint64_t turns = std::uint64_t{run.parameter("warm_loops")} + run.parameter("loops");
  const SharedSide victim{{across ? run.parameter("victim_unit") : 0, 0}, constants ? 0 : run.parameter("victim_blocks")};
  const std::uint32_t which = run.parameter("aggressor");
  const SharedSide aggressor{across ? Actor{which, 0} : Actor{0, which}, run.parameter("aggressor_blocks")};
  const auto execute = [&](const SharedSide& side, const SharedSide& other, std::uint64_t count) {
    memory.execute({.blocks = side.blocks,
                    .instructions = program.block * side.blocks * passes * count,
                    .actor = side.actor,
                    .other_blocks = other.blocks,
                    .other = other.actor});
  };

  auto state = values_of<std::uint32_t>(*run.bindings[2]);
  const std::uint32_t first_link = state[kFirstLinkWord];
  std::optional<BoundChain> chain;
  if (constants) chain = run.constants.chain_through(first_link, kConstantBytes);
  std::uint64_t walked = 0;
  for (const std::uint64_t count : {run.parameter("warm_loops"), run.parameter("loops")}) {
    execute(aggressor, victim, count);
    const std::uint64_t device_begin = memory.device_clock();
    const std::uint64_t unit_begin = memory.unit_clock();
    if (constants) {
      const Walk walk{.actor = victim.actor,
                      .path = MemoryPath::constant,
                      .binding = 0,
                      .image = chain->image,
                      .base = chain->base,
                      .position = chain->position_of(first_link) + walked,
                      .steps = count * run.parameter("load_rows") * kLoadsPerRow,
                      .words = 1,
                      .code_blocks = aggressor.blocks};
      memory.walk({&walk, 1});
      walked += walk.steps;
    } else {
      execute(victim, aggressor, count);
    }
    state[kUnitTicksWord] = static_cast<std::uint32_t>(memory.unit_clock() - unit_begin);
    state[kDeviceTicksWord] = static_cast<std::uint32_t>(memory.device_clock() - device_begin);
  }

  const std::uint64_t growth = program.growth_per_block() * passes * turns;
  put_sums(run, across ? run.kernel.local_size : std::size_t{which} * lanes, victim.blocks * growth, aggressor.blocks * growth);
  if (across) {
    state[kSeatsWord] = state[kSeatsWord + 1] = 1;
    state[kStepsWord] = static_cast<std::uint32_t>(2 * turns);
  }
  if (constants) {
    const std::uint32_t link = chain->link_to(chain->position_of(first_link) + walked);
    for (std::uint32_t lane = 0; lane < lanes; ++lane) state[kLastLinksWord + lane] = link;
  }
  put_values(*run.bindings[2], state);
}

const RegisterEmulation registered_instruction_sharing("instruction_sharing", instruction_sharing);

}  // namespace
}  // namespace percycle::sim
