#include "measure/stopping_rule.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "stats/summary.hpp"

namespace percycle {
namespace {

/// A summary whose deviation is not small by luck: of five noisy values three lie close together often enough, four hardly ever. Of normal
/// values four fifths lie within 1.28 standard deviations, half within 0.67: the larger of both estimates counts, as a MAD.
Summary cautious(std::span<const double> values) {
  Summary summary = summarise(values);
  std::vector<double> deviations;
  for (const double value : values) deviations.push_back(std::abs(value - summary.median));
  const auto fourth_fifth = static_cast<std::ptrdiff_t>((values.size() * 4 + 4) / 5 - 1);
  std::nth_element(deviations.begin(), deviations.begin() + fourth_fifth, deviations.end());
  summary.mad = std::max(summary.mad.value(), deviations[static_cast<std::size_t>(fourth_fifth)] * 0.6745 / 1.2816);
  return summary;
}

}  // namespace

bool StoppingRule::enough(std::span<const double> values) const {
  if (values.size() < min_samples) return false;
  if (values.size() >= max_samples) return true;
  const Summary summary = cautious(values);
  return median_error(summary) <= relative_error * summary.median;
}

}  // namespace percycle
