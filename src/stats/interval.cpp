#include "stats/interval.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace percycle {
namespace {

/// P(X = k) of binomial(n, 1/2), through logarithms because 2^-n alone underflows from n = 1075 on.
double binomial_half(std::size_t n, std::size_t k) {
  const auto total = static_cast<double>(n);
  const auto hits = static_cast<double>(k);
  return std::exp(std::lgamma(total + 1) - std::lgamma(hits + 1) - std::lgamma(total - hits + 1) - total * std::log(2.0));
}

}  // namespace

std::optional<Interval> median_interval(std::span<const double> values, double confidence) {
  if (!(confidence > 0 && confidence < 1)) throw std::invalid_argument("a confidence lies between 0 and 1");
  if (values.empty()) throw std::invalid_argument("statistics of an empty series");
  if (!std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); })) {
    throw std::invalid_argument("statistics of a series with a value that is not finite");
  }
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t n = sorted.size();

  // [x(i), x(n-1-i)], counted from 0, misses the median when at most i values lie on one side of it.
  std::optional<Interval> narrowest;
  double tail = 0;
  for (std::size_t i = 0; i < n / 2; ++i) {
    tail += binomial_half(n, i);
    const double coverage = 1 - 2 * tail;
    if (coverage < confidence) break;
    narrowest = Interval{.low = sorted[i], .high = sorted[n - 1 - i], .coverage = coverage};
  }
  return narrowest;
}

}  // namespace percycle
