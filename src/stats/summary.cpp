#include "stats/summary.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace percycle {
namespace {

std::vector<double> checked(std::span<const double> values) {
  if (values.empty()) throw std::invalid_argument("statistics of an empty series");
  if (!std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); })) {
    throw std::invalid_argument("statistics of a series with a value that is not finite");
  }
  return {values.begin(), values.end()};
}

/// Reorders the values.
double middle(std::vector<double>& values) {
  const auto upper = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), upper, values.end());
  if (values.size() % 2 == 1) return *upper;
  return std::midpoint(*std::max_element(values.begin(), upper), *upper);
}

double middle_deviation(std::vector<double>& values, double center) {
  for (double& value : values) value = std::abs(value - center);
  return middle(values);
}

}  // namespace

double median(std::span<const double> values) {
  std::vector<double> copy = checked(values);
  return middle(copy);
}

double mad(std::span<const double> values) {
  std::vector<double> copy = checked(values);
  const double center = middle(copy);
  return middle_deviation(copy, center);
}

Summary summarise(std::span<const double> values) {
  std::vector<double> copy = checked(values);
  const auto [min, max] = std::minmax_element(values.begin(), values.end());
  Summary summary{.min = *min, .max = *max, .n = values.size()};
  summary.median = middle(copy);
  summary.mad = middle_deviation(copy, summary.median);
  return summary;
}

std::optional<double> relative_mad(const Summary& summary) {
  if (summary.median == 0 || !summary.mad) return std::nullopt;
  return *summary.mad / std::abs(summary.median);
}

double median_error(const Summary& summary) {
  const double deviation = 1.4826 * summary.mad.value();
  return std::sqrt(std::numbers::pi / 2) * deviation / std::sqrt(static_cast<double>(summary.n.value()));
}

}  // namespace percycle
