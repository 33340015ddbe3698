#pragma once

#include <cstdint>

#include "expected/multiply_add.hpp"

namespace percycle {

// Numerical Recipes, 3rd edition, section 7.1.4.
inline constexpr std::uint32_t kQueuesMultiply = 1664525;
inline constexpr std::uint32_t kQueuesAdd = 1013904223;
inline constexpr std::uint64_t kQueuesSteps = 32;  ///< dependent multiply-adds of a turn

/// The word of an invocation of kernel pair `queues` after so many launches of so many turns each.
constexpr std::uint32_t queues_sum(std::uint32_t invocation, std::uint64_t turns, std::uint64_t launches) {
  return static_cast<std::uint32_t>(launches) *
         multiply_add_chain(invocation + 1, kQueuesMultiply, kQueuesAdd, turns * kQueuesSteps);
}

/// The word after so many launches without turns (ORDERED), each of which saw the one before.
constexpr std::uint32_t queues_ordered(std::uint32_t invocation, std::uint64_t launches) {
  std::uint32_t word = 0;
  for (std::uint64_t i = 0; i < launches; ++i) word = 3 * word + invocation + 1;
  return word;
}

}  // namespace percycle
