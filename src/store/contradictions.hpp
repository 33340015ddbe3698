#pragma once

#include "store/record.hpp"

namespace percycle {

/// Throws std::invalid_argument if numbers of a point with a measurement contradict each other: a
/// minimum above the median, more verified samples than samples or, in a run, a statistic or a clock
/// that does not follow from its data, or a footprint above the device's memory. The header has the
/// device properties that they depend on.
void check_contradictions(const Header& header, const PointResult& result);

}  // namespace percycle
