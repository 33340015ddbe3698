#include "stats/change.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/random.hpp"
#include "stats/summary.hpp"

namespace percycle {
namespace {

constexpr std::size_t kResamples = 1000;
constexpr double kTail = 0.025;

void check(const RunSamples& runs) {
  if (runs.empty()) throw std::invalid_argument("a change from or to no runs");
  for (const auto& run : runs) {
    const bool usable = std::all_of(run.begin(), run.end(), [](double value) { return std::isfinite(value) && value > 0; });
    if (run.empty() || !usable) throw std::invalid_argument("a change of a run without values, or of one that is not above 0");
  }
}

/// One of `values`; the probabilities differ by at most 2^-64 times their number.
template <typename T>
const T& draw(const std::vector<T>& values, SplitMix64& random) {
  return values[random() % values.size()];
}

double resampled_median(const RunSamples& runs, SplitMix64& random) {
  std::vector<double> medians;
  std::vector<double> values;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const std::vector<double>& run = draw(runs, random);
    values.clear();
    for (std::size_t k = 0; k < run.size(); ++k) values.push_back(draw(run, random));
    medians.push_back(median(values));
  }
  return median(medians);
}

}  // namespace

double median_of_runs(const RunSamples& runs) {
  check(runs);
  std::vector<double> medians;
  for (const auto& run : runs) medians.push_back(median(run));
  return median(medians);
}

Change change_of_medians(const RunSamples& before, const RunSamples& after, std::uint64_t seed) {
  Change change;
  change.ratio = median_of_runs(after) / median_of_runs(before);
  SplitMix64 random(seed);
  std::vector<double> ratios;
  ratios.reserve(kResamples);
  for (std::size_t i = 0; i < kResamples; ++i) {
    const double from = resampled_median(before, random);
    ratios.push_back(resampled_median(after, random) / from);
  }
  std::sort(ratios.begin(), ratios.end());
  const auto tail = static_cast<std::size_t>(kTail * kResamples);
  change.low = ratios[tail];
  change.high = ratios[kResamples - 1 - tail];
  return change;
}

}  // namespace percycle
