#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "expected/atomic_type.hpp"

namespace percycle {

/// The operations of kernel pair `atomic_latency`; of floating-point numbers: add. and_or: an OR that sets the lane's bit and an AND that clears it, in turn.
enum class AtomicOperation { add, min, exchange, compare_exchange, and_or };

/// What a lane left behind. Its sum is reckoned modulo 2^64 for words of 64 bits, else modulo 2^32.
struct LaneTotals {
  std::uint64_t sum = 0;
  std::uint32_t count = 0;
};

/// What the lanes of a dispatch did: so many operations each, on one word or each on its own.
struct AtomicRun {
  AtomicOperation operation = AtomicOperation::add;
  std::uint64_t operations = 0;  ///< of each lane; even. Those of all lanes together are fewer than kMostOperations
  bool loads = false;            ///< each followed by a load of the same word
  bool own_words = false;        ///< lane i has word i; else all have word 0
  AtomicType type = AtomicType::int32;
};

/// Keeps counting words from wrapping, and what exchanges write apart from where the words start.
inline constexpr std::uint64_t kMostOperations = std::uint64_t{1} << 31;
/// Of all lanes together: fewer than kMostOperations, and so few that a floating-point number still counts them exactly.
inline constexpr std::uint64_t most_operations(AtomicType type) {
  return type == AtomicType::float32 ? (std::uint64_t{1} << 24) - 2048 : kMostOperations;
}

/// 0 + 1 + ... + (count - 1), modulo 2^64, of an even count.
std::uint64_t triangle(std::uint64_t count);

/// What words of 32-bit integers hold at first.
std::uint32_t atomic_start(AtomicOperation operation);
/// The same of any type. 64-bit integers soon reach the end of their low half, so that a half which is left out shows.
std::uint64_t atomic_start(AtomicOperation operation, AtomicType type);

/// Empty when the words' ends and the lanes' totals are those of atomics that were all done once; else what is wrong. `words`: the bits of
/// those of the line.
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
std::optional<std::string> wrong_totals(const AtomicRun& run, std::span<const std::uint64_t> words,
                                        std::span<const LaneTotals> lanes);

}  // namespace percycle
