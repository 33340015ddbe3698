#include "expected/atomic_lane.hpp"

#include <algorithm>

namespace percycle {

AtomicLane::AtomicLane(AtomicOperation operation, AtomicType type, std::uint32_t lane, std::uint32_t lanes)
    : operation_(operation), type_(type), lanes_(lanes), known_(atomic_start(operation, type)) {
  const std::uint32_t bits = 8 * word_bytes(type);
  bit_ = std::uint64_t{1} << (lane + bits / 2) % bits;
  if (operation == AtomicOperation::exchange) known_ = wrapped(type, known_ + 1 + lane);
}

void AtomicLane::operate(std::uint64_t& word) {
  const std::uint64_t found = word;
  const std::uint64_t as_known = found == known_ ? 1 : 0;
  totals_.count += may_be(found) ? 1 : 0;
  switch (operation_) {
    case AtomicOperation::add:
      word = found + 1;
      totals_.sum += found;
      known_ = found + 1;
      break;
    case AtomicOperation::min:
      word = std::min(found, known_ - 1);
      totals_.sum += as_known;
      known_ = word;
      break;
    case AtomicOperation::exchange:
      word = known_;
      totals_.sum += found;
      known_ = wrapped(type_, known_ + lanes_);
      break;
    case AtomicOperation::compare_exchange:
      word = found + as_known;
      totals_.sum += as_known;
      known_ = word;
      break;
    case AtomicOperation::and_or:
      word = known_ == 0 ? found | bit_ : found & ~bit_;
      known_ ^= bit_;
      break;
  }
}

bool AtomicLane::may_be(std::uint64_t value) const {
  switch (operation_) {
    case AtomicOperation::add:
    case AtomicOperation::compare_exchange:
      return value >= known_;
    case AtomicOperation::min:
      return value <= known_;
    case AtomicOperation::exchange:
      return value != known_;
    case AtomicOperation::and_or:
      return (value & bit_) == known_;
  }
  return false;
}

}  // namespace percycle
