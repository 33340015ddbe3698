#include "expected/atomic_latency.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace percycle {
namespace {

/// The totals of the lanes that share a word: all lanes, or one.
struct Sharers {
  std::size_t first = 0;
  std::size_t count = 0;
  std::uint64_t sum = 0;  ///< over all of them
};

/// The sum of the numbers that `count` lanes from `first` on write by exchanges: lane i writes
/// start + 1 + i, start + 1 + i + all, start + 1 + i + 2 all ...
std::uint64_t exchanged(const Sharers& sharers, std::uint64_t start, std::uint64_t operations, std::size_t all) {
  std::uint64_t sum = 0;
  for (std::size_t lane = sharers.first; lane < sharers.first + sharers.count; ++lane) {
    sum += operations * (start + lane + 1) + triangle(operations) * all;
  }
  return sum;
}

std::optional<std::string> wrong_word(const AtomicRun& run, const Sharers& sharers, std::size_t all, std::uint64_t end) {
  const std::uint64_t start = atomic_start(run.operation, run.type);
  const std::uint64_t operations = run.operations * sharers.count;
  std::uint64_t right_end = start;
  std::uint64_t right_sum = sharers.sum;
  switch (run.operation) {
    case AtomicOperation::add:
      right_end = start + operations;
      right_sum = operations * start + triangle(operations);
      break;
    case AtomicOperation::exchange:
      right_end = start + exchanged(sharers, start, run.operations, all) - sharers.sum;
      break;
    case AtomicOperation::min:
    case AtomicOperation::compare_exchange:
      right_end = run.operation == AtomicOperation::min ? start - sharers.sum : start + sharers.sum;
      if (sharers.count == 1) right_sum = operations;
      break;
    case AtomicOperation::and_or:
      break;
  }
  const std::uint64_t right_bits = bits_of(run.type, right_end);
  if (end != right_bits) return fmt::format("a word ended as {:#x} instead of {:#x}", end, right_bits);
  const auto sums_differ = [&](std::uint64_t right) { return wrapped(run.type, sharers.sum) != wrapped(run.type, right); };
  if (sums_differ(right_sum)) {
    return fmt::format("the returned values sum up to {:#x} instead of {:#x}", wrapped(run.type, sharers.sum),
                       wrapped(run.type, right_sum));
  }
  return std::nullopt;
}

}  // namespace

std::uint64_t triangle(std::uint64_t count) { return count / 2 * (count - 1); }

std::uint32_t atomic_start(AtomicOperation operation) {
  switch (operation) {
    case AtomicOperation::add:
    case AtomicOperation::compare_exchange:
      return 1001;
    case AtomicOperation::min:
    case AtomicOperation::exchange:
      return 0xfffffff0;
    case AtomicOperation::and_or:
      return 0;
  }
  return 0;
}

std::uint64_t atomic_start(AtomicOperation operation, AtomicType type) {
  if (type == AtomicType::int32) return atomic_start(operation);
  if (type == AtomicType::float32) return 1001;
  constexpr std::uint64_t kBoundary = std::uint64_t{6} << 32;
  switch (operation) {
    case AtomicOperation::add:
    case AtomicOperation::compare_exchange:
    case AtomicOperation::exchange:
      return kBoundary - 16;
    case AtomicOperation::min:
      return kBoundary + 15;
    case AtomicOperation::and_or:
      return 0;
  }
  return 0;
}

std::optional<std::string> wrong_totals(const AtomicRun& run, std::span<const std::uint64_t> words,
                                        std::span<const LaneTotals> lanes) {
  const auto count = static_cast<std::uint32_t>(run.operations * (run.loads ? 2 : 1));
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    if (lanes[lane].count != count)
      return fmt::format("lane {} saw {} possible values instead of {}", lane, lanes[lane].count, count);
  }
  const std::size_t used = run.own_words ? lanes.size() : 1;
  for (std::size_t word = 0; word < words.size(); ++word) {
    Sharers sharers{.first = word, .count = word < used ? lanes.size() / used : 0};
    for (const LaneTotals& lane : lanes.subspan(std::min(word, lanes.size()), sharers.count)) sharers.sum += lane.sum;
    if (sharers.count == 0) {
      if (words[word] != bits_of(run.type, atomic_start(run.operation, run.type)))
        return fmt::format("word {} changed although no lane uses it", word);
    } else if (auto wrong = wrong_word(run, sharers, lanes.size(), words[word])) {
      return wrong;
    }
  }
  return std::nullopt;
}

}  // namespace percycle
