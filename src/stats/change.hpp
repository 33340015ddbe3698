#pragma once

#include <cstdint>
#include <vector>

namespace percycle {

/// The values of one quantity by run: the samples of each.
using RunSamples = std::vector<std::vector<double>>;

/// How much larger one quantity is than it was, with a 95 % interval. 1 is no change.
struct Change {
  double ratio = 1;
  double low = 1;
  double high = 1;
};

/// The median over the runs of each run's median.
double median_of_runs(const RunSamples& runs);

/// median_of_runs(after) / median_of_runs(before) with the percentile interval of a hierarchical bootstrap: of each side runs are drawn with
/// replacement, and of each run drawn its samples, so that what differs from run to run goes into the interval wherever there is more than one
/// (Efron and Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 13; Kalibera and Jones, "Quantifying Performance Changes with Effect
/// Size Confidence Intervals", University of Kent, technical report 4-12, 2012, section 5). The same samples and seed give the same interval.
/// Throws std::invalid_argument for a side or a run without values, and for a value that is not above 0.
Change change_of_medians(const RunSamples& before, const RunSamples& after, std::uint64_t seed);

}  // namespace percycle
