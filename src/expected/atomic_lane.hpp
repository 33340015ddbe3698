#pragma once

#include <cstdint>

#include "expected/atomic_latency.hpp"

namespace percycle {

/// One lane of kernel pair `atomic_latency` on the host, with the kernel's names.
class AtomicLane {
 public:
  /// Lane `lane` of `lanes`.
  AtomicLane(AtomicOperation operation, AtomicType type, std::uint32_t lane, std::uint32_t lanes);

  /// The next operation on its word, whose value is a number.
  void operate(std::uint64_t& word);
  /// The load after the operation.
  void load(std::uint64_t word) { totals_.count += may_be(word) ? 1 : 0; }

  const LaneTotals& totals() const { return totals_; }

 private:
  bool may_be(std::uint64_t value) const;

  AtomicOperation operation_;
  AtomicType type_;
  std::uint32_t lanes_;
  std::uint64_t bit_ = 0;
  std::uint64_t known_;
  LaneTotals totals_;
};

}  // namespace percycle
