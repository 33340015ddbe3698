#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "expected/atomic_type.hpp"

namespace percycle {

/// The operations of kernel pair `atomic_latency`; floating-point words have add only. and_or: an
/// OR that sets the lane's bit, then an AND that clears it.
enum class AtomicOperation { add, min, exchange, compare_exchange, and_or };

/// The results of a lane. Its sum is modulo 2^64 for 64-bit words, else modulo 2^32.
struct LaneTotals {
  std::uint64_t sum = 0;
  std::uint32_t count = 0;
};

/// The operations of a dispatch: equally many per lane, on one word or on the lane's own.
struct AtomicRun {
  AtomicOperation operation = AtomicOperation::add;
  std::uint64_t operations = 0;  ///< per lane; even; fewer than kMostOperations over all lanes
  bool loads = false;            ///< each operation is followed by a load of the same word
  bool own_words = false;        ///< lane i has word i; else all have word 0
  AtomicType type = AtomicType::int32;
};

/// Keeps counting words from wrapping, and exchanged numbers apart from the words' start.
inline constexpr std::uint64_t kMostOperations = std::uint64_t{1} << 31;
/// Limit for all lanes together: below kMostOperations, and exactly countable by a floating-point
/// word.
inline constexpr std::uint64_t most_operations(AtomicType type) {
  return type == AtomicType::float32 ? (std::uint64_t{1} << 24) - 2048 : kMostOperations;
}

/// 0 + 1 + ... + (count - 1), modulo 2^64, for an even count.
std::uint64_t triangle(std::uint64_t count);

/// The start value of 32-bit integer words.
std::uint32_t atomic_start(AtomicOperation operation);
/// The start value for any type. 64-bit integers soon reach the end of their low half, so that a
/// skipped half shows.
std::uint64_t atomic_start(AtomicOperation operation, AtomicType type);

/// Empty if the words' ends and the lanes' totals are those of atomics that all took place once, in
/// any order; else the fault. `words` are the bits of the words in the line.
///
/// A lane's `count` goes up by one for each returned value that is possible for what the lane knows
/// of its word. Each operation shows a skipped one:
/// - add (of 1): every value up to the end is returned once, so their sum is known.
/// - exchange: each lane writes numbers that none wrote before. The written numbers and the start
///   are the returned numbers and the end. The unwritten number would be missing.
/// - min and compare-exchange: a lane tries to take the word one further than it knows it to be.
///   `sum` counts the successes, and the end is that many steps from the start.
/// - and_or: a lane finds its bit as it left it. In the end no bit is set.
/// A lane alone on its word succeeds every time.
std::optional<std::string> wrong_totals(const AtomicRun& run, std::span<const std::uint64_t> words,
                                        std::span<const LaneTotals> lanes);

}  // namespace percycle
