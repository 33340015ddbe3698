#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace percycle {

/// A point has enough samples if it has at least `min_samples` and the standard error of the median
/// is at most `relative_error` of the median; at the latest after `max_samples`.
struct StoppingRule {
  std::uint64_t min_samples = 5;
  std::uint64_t max_samples = 200;
  double relative_error = 0.0025;
  double least_mad = 0;  ///< share of the median: a smaller deviation is chance

  /// Whether `values`, one per sample, are enough.
  bool enough(std::span<const double> values) const;

  /// The rule on a device with this relative MAD at a typical point. Less than half of it is
  /// chance. A point may have as many samples as a typical point needs for `relative_error`, up to
  /// four times `max_samples`.
  StoppingRule where_typical(double relative_mad) const;
};

/// The typical scatter of samples on a device, from the points so far.
class TypicalScatter {
 public:
  /// `values`: one per sample of a point. Ignores points with too few samples.
  void add(std::span<const double> values);

  /// The median of the points' relative MADs; 0 if there are too few points.
  double relative_mad() const;

 private:
  std::vector<double> mads_;
};

}  // namespace percycle
