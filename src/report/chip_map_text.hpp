#pragma once

#include <string>
#include <vector>

#include "analysis/chip_map.hpp"
#include "core/measurement.hpp"

namespace percycle {

/// "66 groups of 2", "3 groups of 1 to 5": how many, and the numbers of their members.
std::string group_sizes(const ChipGrouping& grouping);

/// A summary of the maps of the chip that the points of an experiment make: spread, units and lines
/// that are alike. Failed points are listed.
std::string chip_map_text(const std::string& experiment, const std::vector<const PointResult*>& results);

}  // namespace percycle
