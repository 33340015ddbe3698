#pragma once

#include "store/record.hpp"

namespace percycle {

/// Throws std::invalid_argument where numbers of a measurement contradict each other: a minimum above the median, more verified samples than samples, and
/// of a run each statistic that does not follow from its samples. The header tells what else the statistics depend on.
void check_contradictions(const Header& header, const Measurement& measurement);

}  // namespace percycle
