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

/// The MAD as a share of the median's size; absent where the median is 0 or the MAD is not known.
std::optional<double> relative_mad(const Summary& summary);

/// The standard error of the median of n values of this spread, as if they were normal: 1.4826 MAD estimate their standard deviation
/// (Hampel 1974), and the median of n has sqrt(pi / 2) times the error of their mean (Kenney and Keeping, "Mathematics of Statistics",
/// part 2, section 7.12). Throws std::bad_optional_access where MAD or n are not known.
double median_error(const Summary& summary);

}  // namespace percycle
