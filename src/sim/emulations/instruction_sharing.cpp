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

/// Adds to the numbers of a subgroup.
void grow(std::span<float> sums, std::size_t first_lane, std::uint32_t lanes, std::uint64_t by) {
  for (float& sum : sums.subspan(first_lane * BlockProgram::kNumbers, std::size_t{lanes} * BlockProgram::kNumbers))
    sum += static_cast<float>(by);
}

/// The aggressor's turns, then the victim's: only what they leave in the caches matters.
void instruction_sharing(const Execution& run, MemoryModel& memory) {
  const BlockProgram program{.block = run.number("BLOCK")};
  const bool constants = run.is_defined("CONSTANT_VICTIM");
  const bool across = run.parameter("across") != 0;
  const std::uint32_t lanes = run.number("SUBGROUP_SIZE");
  const std::uint64_t passes = run.parameter("passes");
  const std::uint64_t loops = run.parameter("loops");
  const std::uint64_t warm = run.parameter("warm_loops");
  const std::uint64_t victim_blocks = constants ? 0 : run.parameter("victim_blocks");
  const std::uint64_t aggressor_blocks = run.parameter("aggressor_blocks");
  const Actor victim{across ? run.parameter("victim_unit") : 0, 0};
  const Actor aggressor = across ? Actor{run.parameter("aggressor"), 0} : Actor{0, run.parameter("aggressor")};

  std::vector<std::uint32_t> state(run.bindings[2]->contents().size() / sizeof(std::uint32_t));
  std::memcpy(state.data(), run.bindings[2]->contents().data(), state.size() * sizeof state[0]);
  const std::uint32_t first_link = state[kFirstLinkWord];
  std::optional<BoundChain> chain;
  if (constants) chain = run.constants.chain_through(first_link, kConstantBytes);
  std::uint64_t walked = 0;
  const auto turns = [&](std::uint64_t count) {
    memory.execute({.blocks = aggressor_blocks,
                    .instructions = program.block * aggressor_blocks * passes * count,
                    .actor = aggressor,
                    .other_blocks = victim_blocks,
                    .other = victim});
    const std::uint64_t device_begin = memory.device_clock();
    const std::uint64_t unit_begin = memory.unit_clock();
    if (constants) {
      const Walk walk{.actor = victim,
                      .path = MemoryPath::constant,
                      .binding = 0,
                      .image = chain->image,
                      .base = chain->base,
                      .position = chain->position_of(first_link) + walked,
                      .steps = count * run.parameter("load_rows") * kLoadsPerRow,
                      .words = 1,
                      .code_blocks = aggressor_blocks};
      memory.walk({&walk, 1});
      walked += walk.steps;
    } else {
      memory.execute({.blocks = victim_blocks,
                      .instructions = program.block * victim_blocks * passes * count,
                      .actor = victim,
                      .other_blocks = aggressor_blocks,
                      .other = aggressor});
    }
    state[kUnitTicksWord] = static_cast<std::uint32_t>(memory.unit_clock() - unit_begin);
    state[kDeviceTicksWord] = static_cast<std::uint32_t>(memory.device_clock() - device_begin);
  };
  turns(warm);
  turns(loops);

  std::vector<float> sums(run.bindings[0]->contents().size() / sizeof(float));
  std::memcpy(sums.data(), run.bindings[0]->contents().data(), sums.size() * sizeof sums[0]);
  const std::uint64_t growth = program.growth_per_block() * passes * (warm + loops);
  grow(sums, 0, lanes, victim_blocks * growth);
  const std::size_t first_aggressor = across ? run.kernel.local_size : std::size_t{aggressor.subgroup} * lanes;
  grow(sums, first_aggressor, lanes, aggressor_blocks * growth);
  std::memcpy(run.bindings[1]->bytes().data(), sums.data(), sums.size() * sizeof sums[0]);
  if (across) {
    state[kSeatsWord] = state[kSeatsWord + 1] = 1;
    state[kStepsWord] = static_cast<std::uint32_t>(2 * (warm + loops));
  }
  if (constants) {
    const std::uint32_t link = chain->link_to(chain->position_of(first_link) + walked);
    for (std::uint32_t lane = 0; lane < lanes; ++lane) state[kLastLinksWord + lane] = link;
  }
  std::memcpy(run.bindings[2]->bytes().data(), state.data(), state.size() * sizeof state[0]);
}

const RegisterEmulation registered_instruction_sharing("instruction_sharing", instruction_sharing);

}  // namespace
}  // namespace percycle::sim
