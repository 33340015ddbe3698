#include <fmt/format.h>

#include <vector>

#include "core/data_words.hpp"
#include "expected/loaded_latency.hpp"
#include "sim/clock_pair.hpp"
#include "sim/emulations/emulations.hpp"
#include "sim/emulations/known_sums.hpp"

namespace percycle::sim {
namespace {

// Bindings, and words of `out`.
constexpr std::uint32_t kMovedData = 1;
constexpr std::uint32_t kLinkBinding = 2;
constexpr std::uint32_t kLoadedOut = 3;
constexpr std::uint32_t kMoverSums = 5;
constexpr std::size_t kLoadedEnd = 4;
constexpr std::size_t kLoadedTurns = 7;
/// Turns before the walk and after it.
constexpr std::uint64_t kTurnsAround = 2;

/// A tile of each mover in a turn.
std::vector<Stream> mover_streams(const Execution& run, const MoverShape& shape) {
  const std::uint64_t slice = shape.tiles * shape.tile_bytes();
  std::vector<Stream> streams;
  for (std::uint32_t mover = 0; mover < run.parameter("movers"); ++mover) {
    const auto add = [&](AccessKind kind, std::uint64_t base) {
      streams.push_back({.group = mover + 1,
                         .path = MemoryPath::global,
                         .kind = kind,
                         .binding = kMovedData,
                         .base = base + mover * slice,
                         .bytes = slice,
                         .accesses = kMoverUnroll,
                         .lanes = shape.lanes,
                         .width = kVectorBytes,
                         .lane_stride = kVectorBytes,
                         .coherent = true});
    };
    if (!run.is("OP", "OP_WRITE")) add(AccessKind::read, 0);
    if (!run.is("OP", "OP_READ")) add(AccessKind::write, std::uint64_t{run.parameter("place")} * run.parameter("movers") * slice);
  }
  return streams;
}

/// Leaves the data of so many turns of a lane, of which only the last lap stays.
void write_tiles(const Execution& run, const MoverShape& shape, std::uint32_t mover, std::uint32_t lane, std::uint64_t turns) {
  const std::uint32_t seed = lowbias32((mover * shape.lanes + lane) ^ run.parameter("salt"));
  const std::uint64_t place = shape.word(run.parameter("place") * run.parameter("movers"), 0, 0, 0);
  const bool copies = run.is("OP", "OP_COPY");
  const auto data = run.bindings[kMovedData]->bytes();
  for (std::uint64_t turn = turns - std::min<std::uint64_t>(turns, shape.tiles); turn < turns; ++turn) {
    for (std::uint32_t row = 0; row < kMoverUnroll; ++row) {
      const std::uint64_t first = shape.word(mover, static_cast<std::uint32_t>(turn % shape.tiles), row, lane);
      for (std::uint32_t channel = 0; channel < kVectorWords; ++channel) {
        put_word(data, place + first + channel,
                 copies ? word_at(data, first + channel) : written_word(seed, static_cast<std::uint32_t>(turn), row, channel));
      }
    }
  }
}

/// The sums and turns of all lanes.
std::vector<std::uint32_t> mover_sums(const Execution& run, const MoverShape& shape, std::uint64_t turns) {
  const std::uint32_t idle = paused(turns * run.parameter("pause"));
  const bool reads = run.is("OP", "OP_READ");
  std::vector<std::uint32_t> sums;
  const auto data = run.bindings[kMovedData]->contents();
  for (std::uint32_t mover = 0; mover < run.parameter("movers"); ++mover) {
    for (std::uint32_t lane = 0; lane < shape.lanes; ++lane) {
      const auto word = [&](std::uint64_t i) { return word_at(data, i); };
      sums.push_back(idle + (reads ? read_sum(shape, mover, lane, turns, word) : 0));
      sums.push_back(static_cast<std::uint32_t>(turns));
    }
  }
  return sums;
}

void move_data(const Execution& run, const MoverShape& shape, std::uint64_t turns) {
  const std::uint32_t movers = run.parameter("movers");
  for (std::uint32_t mover = 0; mover < movers && !run.is("OP", "OP_READ"); ++mover) {
    for (std::uint32_t lane = 0; lane < shape.lanes; ++lane) write_tiles(run, shape, mover, lane, turns);
  }
  const std::string key =
      fmt::format("loaded_latency {} {} {} {} {}", shape.lanes, shape.tiles, movers, turns, run.parameter("pause"));
  const auto sums = [&] { return mover_sums(run, shape, turns); };
  put_values(*run.bindings[kMoverSums], run.is("OP", "OP_READ") ? known_sums(*run.bindings[kMovedData], key, sums) : sums());
}

/// Follows the links for so many turns. Returns the turns of each mover meanwhile.
std::uint64_t follow(const Execution& run, MemoryModel& memory, std::span<const Stream> others, std::uint64_t& at,
                     std::uint64_t turns) {
  const std::uint64_t base = run.addresses[0];
  if (const ChainImage* image = run.bindings[0]->chain()) {
    const Walk walk{{}, MemoryPath::global, 0, *image, 0, image->position_of(at, base), turns * kLoadsPerTurn};
    at = image->link_to(walk.position + walk.steps, base);
    return memory.walk_beside(walk, others, std::uint64_t{run.parameter("pause")} * kPauseSteps);
  }
  const auto bytes = run.bindings[0]->contents();
  for (std::uint64_t step = 0; step < turns * kLoadsPerTurn; ++step) {
    memory.access({}, MemoryPath::global, 0, at - base, sizeof at, AccessKind::read);
    std::memcpy(&at, bytes.data() + (at - base), sizeof at);
  }
  return turns;
}

void loaded_latency(const Execution& run, MemoryModel& memory) {
  const auto link = run.bindings[kLinkBinding]->bytes();
  std::uint64_t at = 0;
  std::memcpy(&at, link.data(), sizeof at);
  const MoverShape shape{run.kernel.local_size, run.parameter("tiles")};
  const auto others = mover_streams(run, shape);
  const std::uint64_t before = follow(run, memory, others, at, run.parameter("warm_loops"));
  ClockPair clocks(memory);
  const std::uint64_t during = follow(run, memory, others, at, std::uint64_t{run.parameter("loops")} * run.parameter("turns"));
  clocks.end();
  std::memcpy(link.data(), &at, sizeof at);

  const auto out = run.bindings[kLoadedOut]->bytes();
  clocks.write(out);
  const auto put = [&](std::size_t word, std::uint64_t value) {
    std::memcpy(out.data() + word * sizeof value, &value, sizeof value);
  };
  put(kLoadedEnd, at - run.addresses[0]);
  if (others.empty()) return;
  put(kLoadedTurns, during * run.parameter("movers") * (shape.lanes / run.number("LANES")));
  move_data(run, shape, before + during + kTurnsAround);
}

const RegisterEmulation registered_loaded_latency("loaded_latency", loaded_latency);

}  // namespace
}  // namespace percycle::sim
