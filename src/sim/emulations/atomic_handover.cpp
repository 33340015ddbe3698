#include <array>
#include <cstring>

#include "sim/clock_pair.hpp"
#include "sim/emulations/emulations.hpp"

namespace percycle::sim {
namespace {

constexpr std::size_t kArrivalsWord = 96;
constexpr std::size_t kLineWords = 32;
constexpr std::size_t kDoneWord = 8;
constexpr std::uint32_t kPerRound = 2;  // hand-overs, there and back
constexpr std::uint32_t kAnyUnit = 0xffffffff;

/// Plays the rounds one after the other, each with progress and without a failed attempt.
void atomic_handover(const Execution& run, MemoryModel& memory) {
  const bool groups = run.is("BETWEEN", "BETWEEN_GROUPS");
  const bool known = run.parameter("first") != kAnyUnit;
  // Work-groups are placed on units in turn.
  const std::uint32_t dealt = groups && run.groups > 1 ? 1 : 0;
  const TokenPass pass{.path = run.is("MEMORY", "MEMORY_LOCAL") ? MemoryPath::local : MemoryPath::global,
                       .binding = 0,
                       .first = known ? run.parameter("first") : 0,
                       .second = known ? run.parameter("second") : dealt,
                       .passes = std::uint64_t{run.parameter("rounds")} * kPerRound};
  ClockPair clocks(memory);
  memory.pass_token(pass);
  clocks.end();

  const std::uint32_t timed = run.parameter("rounds");
  const std::uint32_t done = run.parameter("warm") + timed;
  const std::uint32_t token = done * kPerRound;
  const auto words = run.bindings[0]->bytes();
  std::memcpy(words.data(), &token, sizeof token);
  if (groups) {
    const std::uint32_t arrivals = 2;
    for (const std::size_t at : {kArrivalsWord, kArrivalsWord + kLineWords}) {
      std::memcpy(words.data() + at * kWordBytes, &arrivals, sizeof arrivals);
    }
  }
  const std::array<std::uint32_t, 8> sides{done, done, timed, timed, pass.first, pass.second, 1, 1};
  const auto out = run.bindings[1]->bytes();
  clocks.write(out);
  std::memcpy(out.data() + kDoneWord * kWordBytes, sides.data(), sizeof sides);
}

const RegisterEmulation registered_atomic_handover("atomic_handover", atomic_handover);

}  // namespace
}  // namespace percycle::sim
