#pragma once

#include <cstdint>
#include <vector>

namespace percycle {

/// Samples of one quantity, by run.
using RunSamples = std::vector<std::vector<double>>;

/// The ratio of a quantity to its earlier value, with a 95 % interval. 1 means no change.
struct Change {
  double ratio = 1;
  double low = 1;
  double high = 1;
};

/// The median of the runs' medians.
double median_of_runs(const RunSamples& runs);

/// median_of_runs(after) / median_of_runs(before), with the percentile interval of a hierarchical
/// bootstrap: each side draws runs with replacement and, from each drawn run, samples. Differences
/// between runs therefore widen the interval (Efron and Tibshirani, "An Introduction to the
/// Bootstrap", 1993, chapter 13; Kalibera and Jones, "Quantifying Performance Changes with Effect
/// Size Confidence Intervals", University of Kent, technical report 4-12, 2012, section 5). The
/// same samples and seed give the same interval. Throws std::invalid_argument for a side or a run
/// without values, and for a value that is not above 0.
Change change_of_medians(const RunSamples& before, const RunSamples& after, std::uint64_t seed);

}  // namespace percycle
