#include "expected/atomic_throughput.hpp"

#include <fmt/format.h>

namespace percycle {
namespace {

/// The kernel's arithmetic is modulo 2^32.
std::uint32_t wrapped(std::uint64_t value) { return static_cast<std::uint32_t>(value); }

/// The last number that a sharer writes by exchanges: 1 + its number, plus the number of lanes per
/// further exchange.
std::uint32_t last_written(const AtomicShare& share, std::uint32_t sharer) {
  return wrapped(1 + share.first + sharer + (share.operations - 1) * share.lanes);
}

/// The sum of the numbers that a sharer writes by exchanges.
std::uint32_t all_written(const AtomicShare& share, std::uint32_t sharer) {
  return wrapped(share.operations * (1 + share.first + sharer) + triangle(share.operations) * share.lanes);
}

/// Whether the last exchange can be one of the sharers'.
bool may_be_end(const AtomicShare& share, std::uint32_t end) {
  if (share.operations == 0) return end == atomic_start(share.operation);
  return end - last_written(share, 0) < share.sharers;
}

/// The sum of all lanes' sums; for exchanges it depends on the end.
std::uint32_t right_sums(const AtomicShare& share, std::uint32_t end) {
  const std::uint32_t start = atomic_start(share.operation);
  const std::uint64_t all = share.operations * share.sharers;
  switch (share.operation) {
    case AtomicOperation::add:
      return wrapped(all * start + triangle(all));
    case AtomicOperation::exchange: {
      std::uint32_t sums = start - end;
      for (std::uint32_t sharer = 0; sharer < share.sharers; ++sharer) sums += all_written(share, sharer);
      return sums;
    }
    case AtomicOperation::min:
    case AtomicOperation::compare_exchange:
      return wrapped(share.operations + 2 * all);
    case AtomicOperation::and_or:
      return wrapped(all);
  }
  return 0;
}

}  // namespace

std::optional<std::string> wrong_share(const AtomicShare& share, std::uint32_t end, std::optional<std::uint32_t> sums) {
  if (share.operation == AtomicOperation::exchange) {
    if (!may_be_end(share, end)) return fmt::format("a word ended as {:#x}, which none of its lanes wrote last", end);
  } else if (const std::uint32_t right = end_in_turn(share); end != right) {
    return fmt::format("a word ended as {:#x} instead of {:#x}", end, right);
  }
  if (const std::uint32_t right = right_sums(share, end); sums.value_or(right) != right)
    return fmt::format("the returned values sum up to {:#x} instead of {:#x}", *sums, right);
  return std::nullopt;
}

std::uint32_t end_in_turn(const AtomicShare& share) {
  const std::uint32_t start = atomic_start(share.operation);
  switch (share.operation) {
    case AtomicOperation::add:
      return wrapped(start + share.operations * share.sharers);
    case AtomicOperation::exchange:
      return share.operations == 0 ? start : last_written(share, share.sharers - 1);
    case AtomicOperation::min:
      return wrapped(start - share.operations);
    case AtomicOperation::compare_exchange:
      return wrapped(start + share.operations);
    case AtomicOperation::and_or:
      return start;
  }
  return start;
}

std::uint32_t sum_in_turn(const AtomicShare& share, std::uint32_t sharer) {
  const std::uint32_t start = atomic_start(share.operation);
  const std::uint64_t before = share.operations * sharer;
  switch (share.operation) {
    case AtomicOperation::add:
      return wrapped(share.operations * (start + before) + triangle(share.operations));
    case AtomicOperation::exchange:
      if (share.operations == 0) return 0;
      return (sharer == 0 ? start : last_written(share, sharer - 1)) + all_written(share, sharer) - last_written(share, sharer);
    case AtomicOperation::min:
    case AtomicOperation::compare_exchange:
      return wrapped((sharer == 0 ? 3 : 2) * share.operations);
    case AtomicOperation::and_or:
      return wrapped(share.operations);
  }
  return 0;
}

}  // namespace percycle
