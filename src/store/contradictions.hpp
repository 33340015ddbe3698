#pragma once

#include "store/record.hpp"

namespace percycle {

/// Throws std::invalid_argument if numbers of a measurement contradict each other: a minimum above
/// the median, more verified samples than samples or, in a run, a statistic that contradicts its
/// samples. The header has the device properties that statistics depend on.
void check_contradictions(const Header& header, const Measurement& measurement);

}  // namespace percycle
