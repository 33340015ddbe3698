#pragma once

#include <cstdint>

#include "device/info.hpp"

namespace percycle {

// What kernel pairs `private_caches` and `sharing` have in common: chains walked in turns of 31 loads, and a state buffer that begins with the
// clocks (ClockReadings) and goes on with one 32-bit link per walker.

/// A prime: on a chain of 2 to 30 nodes no single turn ends where it began, so that one that did not happen shows.
inline constexpr std::uint64_t kLoadsPerTurn = 31;
/// Bytes of the clocks.
inline constexpr std::uint64_t kLinksOffset = 32;
/// A chain of more nodes is not walked before every sample; no first-level cache known has more lines. Others are read once in advance.
inline constexpr std::uint64_t kWarmLapNodes = 8192;

/// Turns before the clocks are read: a lap of a chain that the unit's own caches may hold, else a few to get going.
inline std::uint64_t warm_turns(std::uint64_t nodes) {
  constexpr std::uint64_t kFew = 32;
  return nodes <= kWarmLapNodes ? (nodes + kLoadsPerTurn - 1) / kLoadsPerTurn : kFew;
}

/// How many turns the timed loop may take when `warm` came before: at least 1. Silent limits count all loops together
/// (DeviceInfo::max_loop_iterations), and the pass in which each ends.
inline std::uint64_t most_turns(const DeviceInfo& device, std::uint64_t warm) {
  const std::uint64_t limit = device.max_loop_iterations.value_or(UINT32_MAX) - 2;
  return limit > warm ? limit - warm : 1;
}

}  // namespace percycle
