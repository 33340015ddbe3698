#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "expected/atomic_latency.hpp"

namespace percycle {

/// A word and the lanes of kernel pair `atomic_throughput` that share it, each with the same number
/// of independent operations.
struct AtomicShare {
  AtomicOperation operation = AtomicOperation::add;
  std::uint64_t operations = 0;  ///< per lane; even; fewer than kMostOperations over all sharers
  std::uint32_t first = 0;       ///< number of the first sharer among all lanes
  std::uint32_t sharers = 1;     ///< it and the lanes after it
  std::uint32_t lanes = 1;       ///< in the dispatch
};

/// Empty if the word's `end` and, if given, the added `sums` of its sharers are those of atomics
/// that all took place once, in any order; else the fault. All modulo 2^32. docs/internals.md has
/// the rules.
std::optional<std::string> wrong_share(const AtomicShare& share, std::uint32_t end, std::optional<std::uint32_t> sums);

/// The end if the sharers run one after the other, each with all its operations.
std::uint32_t end_in_turn(const AtomicShare& share);
/// The sum of sharer number `sharer`, from 0, in that case.
std::uint32_t sum_in_turn(const AtomicShare& share, std::uint32_t sharer);

}  // namespace percycle
