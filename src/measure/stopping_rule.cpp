#include "measure/stopping_rule.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "stats/summary.hpp"

namespace percycle {
namespace {

constexpr double kLuck = 0.5;    // share of the typical deviation
constexpr double kPatience = 4;  // times the usual number of samples
constexpr std::size_t kFewestSamples = 3;
constexpr std::size_t kFewestPoints = 5;

/// A summary with a deviation that is not small by chance: three of five noisy values are often
/// close to each other, four hardly ever. Four fifths of normal values lie within 1.28 standard
/// deviations, half within 0.67: the larger estimate counts, as a MAD.
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
  Summary summary = cautious(values);
  summary.mad = std::max(summary.mad.value(), least_mad * summary.median);
  return median_error(summary) <= relative_error * summary.median;
}

StoppingRule StoppingRule::where_typical(double relative_mad) const {
  StoppingRule rule = *this;
  rule.least_mad = kLuck * relative_mad;
  const auto most = static_cast<double>(max_samples);
  const double error = median_error({.median = 1, .mad = relative_mad, .n = max_samples});
  const double times = std::clamp(std::pow(error / relative_error, 2), 1.0, kPatience);
  rule.max_samples = static_cast<std::uint64_t>(std::lround(most * times));
  return rule;
}

void TypicalScatter::add(std::span<const double> values) {
  if (values.size() < kFewestSamples) return;
  if (const auto mad = percycle::relative_mad(summarise(values))) mads_.push_back(*mad);
}

double TypicalScatter::relative_mad() const { return mads_.size() < kFewestPoints ? 0 : median(mads_); }

}  // namespace percycle
