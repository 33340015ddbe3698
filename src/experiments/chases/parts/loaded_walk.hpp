#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/chain.hpp"
#include "core/outcome.hpp"
#include "device/info.hpp"

namespace percycle::loaded {

// Common to kernel pairs `loaded_latency` and `loaded_unit`.

// Words of `out` behind the clocks.
inline constexpr std::size_t kEndWord = 4;
inline constexpr std::size_t kMissedWord = 5;
inline constexpr std::size_t kGaveUpWord = 6;
inline constexpr std::size_t kMovedWord = 7;
inline constexpr std::size_t kOutWords = 8;
/// Words of `sums` for each lane: its sum and its turns.
inline constexpr std::size_t kSumWords = 2;
/// Words of `marks` from one mark to the next: at least a line, so that each is polled apart.
inline constexpr std::uint32_t kSpan = 32;

// Bounds of the waits: far longer than a start of all sides, far shorter than a watchdog. If a
// device limits loops, half of them is for the walk or the tiles, a quarter for the wait.

/// Looks of one side for the other.
inline std::uint32_t patience(const DeviceInfo& device) {
  constexpr std::uint64_t kLooks = std::uint64_t{1} << 19u;
  const std::uint64_t loops = device.max_loop_iterations.value_or(UINT32_MAX) / 4;
  return static_cast<std::uint32_t>(std::max<std::uint64_t>(std::min(kLooks, loops), 1));
}

/// Turns of a side that moves data. `cycles`: the fewest of a turn. `loops`: iterations of a turn.
inline std::uint32_t most_turns(const DeviceInfo& device, std::uint64_t cycles, std::uint64_t loops) {
  constexpr std::uint64_t kMostCycles = std::uint64_t{1} << 30u;
  const std::uint64_t turns = device.max_loop_iterations.value_or(UINT32_MAX) / 2 / loops;
  return static_cast<std::uint32_t>(std::max<std::uint64_t>(std::min(kMostCycles / cycles, turns), 1));
}

/// Iterations that a kernel spends beside its timed loop, `others` beside the wait.
inline std::uint64_t other_loops(const DeviceInfo& device, std::uint64_t others) {
  return others + patience(device) + device.max_loop_iterations.value_or(0) / 4;
}

/// Compares the offset at which a walk ended with its place after so many loads.
inline Outcome check_end(std::uint64_t found, const ChainImage& image, std::uint64_t loads) {
  const std::uint64_t expected = image.layout.offset(image.chain.place(loads));
  if (found == expected) return {};
  return {Status::invalid,
          fmt::format("the walk ended at offset {} of the chain instead of {} after {} loads", found, expected, loads)};
}

/// The least duration of a walk in ns; shorter if the device limits the loops beside it.
inline double walk_ns(const DeviceInfo& device) { return device.max_loop_iterations ? 2e5 : 1e6; }

}  // namespace percycle::loaded
