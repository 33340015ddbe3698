#pragma once

#include <cstdint>
#include <span>

namespace percycle {

/// When a point has enough samples: at least `min_samples`, then as soon as the standard error of the median is at most `relative_error` of
/// the median, at the latest after `max_samples`.
struct StoppingRule {
  std::uint64_t min_samples = 5;
  std::uint64_t max_samples = 200;
  double relative_error = 0.0025;

  /// Whether `values`, one per sample, are enough.
  bool enough(std::span<const double> values) const;
};

}  // namespace percycle
