#include "experiments/atomic_totals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace percycle {
namespace {

/// All of the kernel's arithmetic is modulo 2^32.
std::uint32_t wrapped(std::uint64_t value) { return static_cast<std::uint32_t>(value); }

/// The totals of the lanes that share a word: all of them, or one.
struct Sharers {
  std::size_t first = 0;
  std::size_t count = 0;
  std::uint32_t sum = 0;  ///< of all of them
};

/// What `count` lanes from `first` on write by exchanges, lane i the numbers 1 + i, 1 + i + all, 1 + i + 2 all ...
std::uint32_t exchanged(const Sharers& sharers, std::uint64_t operations, std::size_t all) {
  std::uint32_t sum = 0;
  for (std::size_t lane = sharers.first; lane < sharers.first + sharers.count; ++lane) {
    sum += wrapped(operations * (lane + 1)) + triangle(operations) * wrapped(all);
  }
  return sum;
}

std::optional<std::string> wrong_word(const AtomicRun& run, const Sharers& sharers, std::size_t all, std::uint32_t end) {
  const std::uint32_t start = atomic_start(run.operation);
  const std::uint64_t operations = run.operations * sharers.count;
  std::uint32_t right_end = start;
  std::uint32_t right_sum = sharers.sum;
  switch (run.operation) {
    case AtomicOperation::add:
      right_end = wrapped(start + operations);
      right_sum = wrapped(operations * start) + triangle(operations);
      break;
    case AtomicOperation::exchange:
      right_end = start + exchanged(sharers, run.operations, all) - sharers.sum;
      break;
    case AtomicOperation::min:
    case AtomicOperation::compare_exchange:
      right_end = run.operation == AtomicOperation::min ? start - sharers.sum : start + sharers.sum;
      if (sharers.count == 1) right_sum = wrapped(operations);
      break;
    case AtomicOperation::and_or:
      break;
  }
  if (end != right_end) return fmt::format("a word ended as {:#x} instead of {:#x}", end, right_end);
  if (sharers.sum != right_sum) return fmt::format("what was returned sums up to {:#x} instead of {:#x}", sharers.sum, right_sum);
  return std::nullopt;
}

}  // namespace

std::uint32_t triangle(std::uint64_t count) { return wrapped(count / 2 * (count - 1)); }

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

std::optional<std::string> wrong_totals(const AtomicRun& run, std::span<const std::uint32_t> words,
                                        std::span<const LaneTotals> lanes) {
  const std::uint32_t count = wrapped(run.operations * (run.loads ? 2 : 1));
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    if (lanes[lane].count != count)
      return fmt::format("lane {} saw {} values that can be instead of {}", lane, lanes[lane].count, count);
  }
  const std::size_t used = run.own_words ? lanes.size() : 1;
  for (std::size_t word = 0; word < words.size(); ++word) {
    Sharers sharers{.first = word, .count = word < used ? lanes.size() / used : 0};
    for (const LaneTotals& lane : lanes.subspan(std::min(word, lanes.size()), sharers.count)) sharers.sum += lane.sum;
    if (sharers.count == 0) {
      if (words[word] != atomic_start(run.operation)) return fmt::format("word {} changed, which no lane has", word);
    } else if (auto wrong = wrong_word(run, sharers, lanes.size(), words[word])) {
      return wrong;
    }
  }
  return std::nullopt;
}

}  // namespace percycle
