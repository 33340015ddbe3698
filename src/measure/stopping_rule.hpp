#pragma once

#include <cstdint>
#include <span>

namespace percycle {

/// When a point has enough samples: at least `min_samples`, then as soon as the median absolute deviation is at most `relative_mad` of
/// the median, at the latest after `max_samples`.
struct StoppingRule {
  std::uint64_t min_samples = 5;
  std::uint64_t max_samples = 15;
  double relative_mad = 0.003;

  /// Whether `values`, one per sample, are enough.
  bool enough(std::span<const double> values) const;
};

}  // namespace percycle
