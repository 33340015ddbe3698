#pragma once

#include <cstdint>

namespace percycle {

// Kernel pairs `latency`, `private_caches` and `sharing` walk chains in turns of 31 loads. The
// state buffer of the last two starts with the clocks (ClockReadings), followed by one 32-bit link
// per walker.

/// A prime: on a chain of 2 to 30 nodes no turn ends where it began, so that a skipped turn shows.
inline constexpr std::uint64_t kLoadsPerTurn = 31;
/// Most nodes of a chain that is walked before every sample, since no other work-group can warm a
/// unit's own caches. No known first level has more lines. Longer chains are read once in advance.
inline constexpr std::uint64_t kWarmLapNodes = 8192;

/// Turns before the clocks are read: a lap of a chain that the unit's own caches may hold, else a
/// few.
inline std::uint64_t warm_turns(std::uint64_t nodes) {
  constexpr std::uint64_t kFew = 32;
  return nodes <= kWarmLapNodes ? (nodes + kLoadsPerTurn - 1) / kLoadsPerTurn : kFew;
}

}  // namespace percycle
