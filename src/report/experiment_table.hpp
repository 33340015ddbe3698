#pragma once

#include <string>
#include <vector>

#include "core/measurement.hpp"
#include "limits/limits.hpp"
#include "store/record.hpp"

namespace percycle {

enum class TableWidth {
  narrow,  ///< 120 columns where the parameters leave room: details leave, or the table falls into parts
  wide,    ///< every column
};

/// The points of one experiment as a plain-text table (report/point_table.hpp) under a line that names the experiment and
/// says once what never varies. Of a search for the best configuration: the best point, and points that did not end well.
std::string experiment_table(const std::string& experiment, const std::vector<const PointResult*>& results, const Header& header,
                             const DeviceLimits& limits, TableWidth width);

}  // namespace percycle
