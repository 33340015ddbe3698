#pragma once

#include <cstdint>

namespace percycle {

/// The mask of kernel pair `alu_chain`: all bits but the lowest.
constexpr std::uint32_t kAluChainMask = ~1u;
/// The addend: odd, so that the mask changes every sum and a skipped operation shows in the end.
constexpr std::uint32_t kAluChainAdd = 0x9e3779b9u;

/// The end value of a lane of kernel pair `alu_chain` from `start`: x -> (x + add) & mask, `pairs`
/// times. An even x plus an odd number loses 1 to the mask; only the first x may be odd.
constexpr std::uint32_t alu_chain_end(std::uint32_t start, std::uint64_t pairs) {
  if (pairs == 0) return start;
  return ((start + kAluChainAdd) & kAluChainMask) + static_cast<std::uint32_t>(pairs - 1) * (kAluChainAdd - 1);
}

}  // namespace percycle
