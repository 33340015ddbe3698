#pragma once

#include <cstdint>

namespace percycle {

/// What the mask of kernel pair `alu_chain` leaves: all but the lowest bit.
constexpr std::uint32_t kAluChainMask = ~1u;
/// What it adds: odd, so that the mask takes something off every sum and an operation that was left out shows in the end.
constexpr std::uint32_t kAluChainAdd = 0x9e3779b9u;

/// Where a lane of kernel pair `alu_chain` ends that starts at `start`: x -> (x + add) & mask, so many times. An even x plus an odd number
/// loses 1 to the mask; only the first x may be odd.
constexpr std::uint32_t alu_chain_end(std::uint32_t start, std::uint64_t pairs) {
  if (pairs == 0) return start;
  return ((start + kAluChainAdd) & kAluChainMask) + static_cast<std::uint32_t>(pairs - 1) * (kAluChainAdd - 1);
}

}  // namespace percycle
