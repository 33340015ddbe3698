#pragma once

#include <string>
#include <vector>

#include "core/measurement.hpp"
#include "limits/limits.hpp"
#include "store/record.hpp"

namespace percycle {

enum class TableWidth {
  /// 120 columns if the parameters leave room: details are left out, or the table is split.
  narrow,
  wide,  ///< every column
};

/// The points of one experiment as a plain-text table (report/point_table.hpp), under a line with
/// the experiment and the constant values. A search for the best configuration shows its best point
/// and the points that failed.
std::string experiment_table(const std::string& experiment, const std::vector<const PointResult*>& results, const Header& header,
                             const DeviceLimits& limits, TableWidth width);

}  // namespace percycle
