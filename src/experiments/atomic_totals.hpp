#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace percycle {

/// The operations of kernel pair `atomic_latency`. and_or: an OR that sets the lane's bit and an AND that clears it, in turn.
enum class AtomicOperation { add, min, exchange, compare_exchange, and_or };

/// What a lane left behind.
struct LaneTotals {
  std::uint32_t sum = 0;
  std::uint32_t count = 0;
};

/// What the lanes of a dispatch did: so many operations each, on one word or each on its own.
struct AtomicRun {
  AtomicOperation operation = AtomicOperation::add;
  std::uint64_t operations = 0;  ///< of each lane; even. Those of all lanes together are fewer than kMostOperations
  bool loads = false;            ///< each followed by a load of the same word
  bool own_words = false;        ///< lane i has word i; else all have word 0
};

/// Keeps counting words from wrapping, and what exchanges write apart from kAtomicStart.
inline constexpr std::uint64_t kMostOperations = std::uint64_t{1} << 31;

/// 0 + 1 + ... + (count - 1), modulo 2^32, of an even count.
std::uint32_t triangle(std::uint64_t count);

/// What the words hold at first.
std::uint32_t atomic_start(AtomicOperation operation);

/// Empty when the words' ends and the lanes' totals are those of atomics that were all done once; else what is wrong. `words`: of the line.
///
/// Whatever order the lanes' operations took, these hold, and fail when an operation was left out, whether its lane went on without it (its
/// `count`, which goes up by one for each value seen that a lane's knowledge of its word allows, stays behind) or with the value before once more:
/// - add, of 1: the end is start + N; each value up to there was returned once, so their sum is known. The end would be less.
/// - exchange: each lane writes numbers that none wrote before. What was written and the start are what was returned and the end; `sum` adds up
///   what was returned. The number that was not written would be missing among those.
/// - min and compare-exchange: a lane tries to take the word one further than it knows it to be. `sum` counts when the word still was as known, and
///   the end is that many from the start. The value before would either be impossible by now or count for a step that the word did not take.
/// - and_or: a lane finds its bit as it left it; in the end none is set. The next operation would find it otherwise.
/// A lane alone on its word succeeds every time.
std::optional<std::string> wrong_totals(const AtomicRun& run, std::span<const std::uint32_t> words,
                                        std::span<const LaneTotals> lanes);

}  // namespace percycle
