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
/// that all took place once, in any order; else the fault. All numbers are modulo 2^32.
/// - add (of 1): the end is start + N. Each value up to there was returned once.
/// - exchange: each lane writes numbers that no other lane writes. The written numbers and the
///   start equal the returned numbers and the end, which is the last number of a sharer.
/// - min and compare-exchange: a lane's k-th operation takes the word from step k - 1 to step k,
///   unless the word is there already. Exactly one of all k-th operations takes the step: it counts
///   1, every other one 2. The last step is the end.
/// - and_or: a lane finds its bit as it left it. In the end no bit is set.
/// One skipped operation stays hidden: a min or compare-exchange that returned a possible value
/// while another sharer took its step. Without `sums` only add proves that none was skipped.
std::optional<std::string> wrong_share(const AtomicShare& share, std::uint32_t end, std::optional<std::uint32_t> sums);

/// The end if the sharers run one after the other, each with all its operations.
std::uint32_t end_in_turn(const AtomicShare& share);
/// The sum of sharer number `sharer`, from 0, in that case.
std::uint32_t sum_in_turn(const AtomicShare& share, std::uint32_t sharer);

}  // namespace percycle
