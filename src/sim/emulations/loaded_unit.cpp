#include "expected/loaded_unit.hpp"

#include <fmt/format.h>

#include <vector>

#include "sim/clock_pair.hpp"
#include "sim/emulations/emulations.hpp"
#include "sim/emulations/known_sums.hpp"

namespace percycle::sim {
namespace {

// Bindings, and words of `out`.
constexpr std::uint32_t kLoaderData = 1;
constexpr std::uint32_t kUnitLink = 2;
constexpr std::uint32_t kUnitOut = 3;
constexpr std::uint32_t kLoaderSums = 5;
constexpr std::size_t kUnitEnd = 4;
constexpr std::size_t kUnitMoved = 7;
/// Turns before the walk and after it.
constexpr std::uint64_t kLoaderTurnsAround = 2;

bool is_local(const Execution& run) { return run.is("PATH", "PATH_LOCAL"); }

std::uint32_t loaders_of(const Execution& run) { return run.kernel.local_size - run.number("WALKERS"); }

/// A turn of all loaders; empty without any.
std::vector<Stream> loader_streams(const Execution& run, const MoverShape& shape) {
  if (loaders_of(run) == 0) return {};
  return {{.path = is_local(run) ? MemoryPath::local : MemoryPath::global,
           .kind = AccessKind::read,
           .binding = kLoaderData,
           .bytes = shape.tiles * shape.tile_bytes(),
           .accesses = std::uint64_t{kLoaderTiles} * kLoaderUnroll,
           .lanes = loaders_of(run),
           .width = kVectorBytes,
           .lane_stride = kVectorBytes}};
}

/// The sums and turns of all loaders. Those with the same place in a row have the same sum.
std::vector<std::uint32_t> loader_sums(const Execution& run, const MoverShape& shape, std::uint64_t turns) {
  const auto data = run.bindings[kLoaderData]->contents();
  const auto word = [&](std::uint64_t i) { return word_at(data, i); };
  std::vector<std::uint32_t> sums;
  for (std::uint32_t loader = 0; loader < loaders_of(run); ++loader) {
    const bool is_known = loader >= shape.lanes;
    sums.push_back(is_known ? sums[2 * std::size_t{loader - shape.lanes}]
                            : loader_sum(shape, loader, turns, run.parameter("pause"), word));
    sums.push_back(static_cast<std::uint32_t>(turns));
  }
  return sums;
}

/// Follows the links for so many turns. Returns the turns of each loader meanwhile.
std::uint64_t follow_beside(const Execution& run, MemoryModel& memory, std::span<const Stream> others, std::uint64_t& at,
                            std::uint64_t turns) {
  const MemoryPath path = is_local(run) ? MemoryPath::local : MemoryPath::global;
  const std::uint64_t base = is_local(run) ? 0 : run.addresses[0];
  if (const ChainImage* image = run.bindings[0]->chain()) {
    const Walk walk{{}, path, 0, *image, 0, image->position_of(at, base), turns * kLoadsPerTurn};
    at = image->link_to(walk.position + walk.steps, base);
    return memory.walk_beside(walk, others, std::uint64_t{run.parameter("pause")} * kLoaderPauseSteps);
  }
  const auto bytes = run.bindings[0]->contents();
  const std::uint32_t width = is_local(run) ? 4 : 8;
  for (std::uint64_t step = 0; step < turns * kLoadsPerTurn; ++step) {
    const std::uint64_t offset = is_local(run) ? at * kWordBytes : at - base;
    memory.access({}, path, 0, offset, width, AccessKind::read);
    at = 0;
    std::memcpy(&at, bytes.data() + offset, width);
  }
  return turns;
}

void loaded_unit(const Execution& run, MemoryModel& memory) {
  const auto link = run.bindings[kUnitLink]->bytes();
  std::uint64_t at = 0;
  std::memcpy(&at, link.data(), sizeof at);
  const MoverShape shape = loader_shape(run.number("ROW_LANES"), run.parameter("tiles"));
  const auto others = loader_streams(run, shape);
  const std::uint64_t before = follow_beside(run, memory, others, at, run.parameter("warm_loops"));
  ClockPair clocks(memory);
  const std::uint64_t during = follow_beside(run, memory, others, at, run.parameter("loops"));
  clocks.end();
  std::memcpy(link.data(), &at, sizeof at);

  const auto out = run.bindings[kUnitOut]->bytes();
  clocks.write(out);
  const auto put = [&](std::size_t word, std::uint64_t value) {
    std::memcpy(out.data() + word * sizeof value, &value, sizeof value);
  };
  put(kUnitEnd, is_local(run) ? at * kWordBytes : at - run.addresses[0]);
  if (others.empty()) return;
  put(kUnitMoved, during * (loaders_of(run) / run.number("LANES")));
  const std::uint64_t turns = before + during + kLoaderTurnsAround;
  const std::string key =
      fmt::format("loaded_unit {} {} {} {} {}", shape.lanes, shape.tiles, loaders_of(run), turns, run.parameter("pause"));
  put_values(*run.bindings[kLoaderSums],
             known_sums(*run.bindings[kLoaderData], key, [&] { return loader_sums(run, shape, turns); }));
}

const RegisterEmulation registered_loaded_unit("loaded_unit", loaded_unit);

}  // namespace
}  // namespace percycle::sim
