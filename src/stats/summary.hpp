#pragma once

#include <optional>
#include <span>

#include "core/measurement.hpp"

namespace percycle {

// All of these refuse an empty series and one with a value that is not finite: std::invalid_argument.

/// The middle value, or the mean of the two middle ones.
double median(std::span<const double> values);

/// The median absolute deviation from the median, not scaled to a standard deviation. Robust to almost half of the values being
/// outliers (Hampel, "The influence curve and its role in robust estimation", JASA 69, 1974).
double mad(std::span<const double> values);

/// Everything a record keeps of a series.
Summary summarise(std::span<const double> values);

/// The MAD as a share of the median's size; absent where the median is 0.
std::optional<double> relative_mad(const Summary& summary);

}  // namespace percycle
