#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "expected/atomic_totals.hpp"

namespace percycle {

/// A word and the lanes of kernel pair `atomic_throughput` that share it, each with the same number of operations that wait for nothing.
struct AtomicShare {
  AtomicOperation operation = AtomicOperation::add;
  std::uint64_t operations = 0;  ///< of each lane; even. Those of all sharers together are fewer than kMostOperations
  std::uint32_t first = 0;       ///< number of the first sharer among all lanes
  std::uint32_t sharers = 1;     ///< it and the lanes after it
  std::uint32_t lanes = 1;       ///< of the dispatch
};

/// Empty when the word's `end` and, where they are there, the `sums` of its sharers, added up, are those of atomics that were all done once; else
/// what is wrong. All modulo 2^32. Whatever order the sharers' operations took, these hold:
/// - add, of 1: the end is start + N; each value up to there was returned once, so their sum is known.
/// - exchange: each lane writes numbers that no other writes. What was written and the start are what was returned and the end, which is the last
///   number of one of the sharers.
/// - min and compare-exchange: a lane's k-th operation takes the word from k - 1 steps to k, unless it is there already; after the lane's operations
///   before, it cannot be less far. So the first of all k-th operations takes the step, and no other: each step counts 1, and the last is the end.
///   Each operation that finds the word no less far counts 2.
/// - and_or: a lane finds its bit as it left it; in the end none is set.
/// An operation that was left out shows, but one of min or compare-exchange that returned a value which may have been there, and whose step
/// another sharer took: nothing tells it from one that came later. Without what was returned only add says that none was left out; the end of
/// exchange is the last number of a sharer, of the others where it has to be.
std::optional<std::string> wrong_share(const AtomicShare& share, std::uint32_t end, std::optional<std::uint32_t> sums);

/// The end when the sharers come one after the other, each with all of its operations.
std::uint32_t end_in_turn(const AtomicShare& share);
/// And the sum of the `sharer`-th, from 0.
std::uint32_t sum_in_turn(const AtomicShare& share, std::uint32_t sharer);

}  // namespace percycle
