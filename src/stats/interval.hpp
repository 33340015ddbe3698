#pragma once

#include <optional>
#include <span>

namespace percycle {

/// Two of the observed values that enclose the true median with probability `coverage`.
struct Interval {
  double low = 0;
  double high = 0;
  double coverage = 0;  ///< what these two achieve: at least what was asked for
};

/// The narrowest symmetric pair of order statistics that covers the median of any continuous distribution with at least
/// `confidence`; absent where so few values allow none (95 % needs six). The number of values below the true median is
/// binomial(n, 1/2), whatever the distribution (David and Nagaraja, "Order Statistics", 3rd ed., section 7.1). Throws
/// std::invalid_argument like median(), and for a confidence outside (0, 1).
std::optional<Interval> median_interval(std::span<const double> values, double confidence);

}  // namespace percycle
