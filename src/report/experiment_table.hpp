#pragma once

#include <string>
#include <vector>

#include "core/measurement.hpp"
#include "limits/limits.hpp"
#include "store/record.hpp"

namespace percycle {

/// The points of one experiment as a plain-text table (report/point_table.hpp) under a line that names it and whatever is the same for all of them. Of
/// a search for the best configuration only what the best measured, and what did not end well.
std::string experiment_table(const std::string& experiment, const std::vector<const PointResult*>& results, const Header& header,
                             const DeviceLimits& limits);

}  // namespace percycle
