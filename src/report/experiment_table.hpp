#pragma once

#include <string>
#include <vector>

#include "core/measurement.hpp"

namespace percycle {

/// The points of one experiment as a plain-text table under a line that names it and whatever is the same for all of them. One
/// row per point: words vary slowest, then whole numbers, the footprint fastest.
std::string experiment_table(const std::string& experiment, std::vector<const PointResult*> results);

}  // namespace percycle
