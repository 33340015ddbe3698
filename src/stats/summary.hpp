#pragma once

#include <optional>
#include <span>

#include "core/measurement.hpp"

namespace percycle {

// These functions throw std::invalid_argument for an empty series and for a value that is not
// finite.

/// The middle value, or the mean of the two middle ones.
double median(std::span<const double> values);

/// The median absolute deviation from the median, not scaled to a standard deviation. Robust if
/// fewer than half of the values are outliers (Hampel, "The influence curve and its role in robust
/// estimation", JASA 69, 1974).
double mad(std::span<const double> values);

/// The summary that a record keeps of a series.
Summary summarise(std::span<const double> values);

/// The MAD as a share of the median's size; empty if the median is 0 or the MAD is unknown.
std::optional<double> relative_mad(const Summary& summary);

/// The standard error of the median of n values, taken as normal: 1.4826 MAD * sqrt(pi / 2) /
/// sqrt(n) (Hampel 1974; Kenney and Keeping, "Mathematics of Statistics", part 2, section 7.12).
/// Throws std::bad_optional_access if MAD or n are unknown.
double median_error(const Summary& summary);

}  // namespace percycle
