#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace percycle {

/// When a point has enough samples: at least `min_samples`, then as soon as the standard error of the median is at most `relative_error` of
/// the median, at the latest after `max_samples`.
struct StoppingRule {
  std::uint64_t min_samples = 5;
  std::uint64_t max_samples = 200;
  double relative_error = 0.0025;
  double least_mad = 0;  ///< share of the median: samples that lie closer together do so by luck

  /// Whether `values`, one per sample, are enough.
  bool enough(std::span<const double> values) const;

  /// The rule on a device of which a typical point has this relative MAD: what is less than half of that is luck, and a point may have as many
  /// samples as the typical one needs for `relative_error`, up to four times `max_samples`.
  StoppingRule where_typical(double relative_mad) const;
};

/// How far the samples of a device's points scatter, by the points so far.
class TypicalScatter {
 public:
  /// `values`: one per sample of a point. So few that they say little do not count.
  void add(std::span<const double> values);

  /// The median of the points' relative MADs; 0 while there are too few points.
  double relative_mad() const;

 private:
  std::vector<double> mads_;
};

}  // namespace percycle
