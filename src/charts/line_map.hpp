#pragma once

#include <vector>

#include "charts/chart.hpp"
#include "report/report_data.hpp"

namespace percycle {

/// The maps that the analysis of a device read: rectangles of lines of a cache by units, with those
/// that are alike next to each other. Neighbours share a cell, which has the median of their
/// values, where there are too many.
void add_line_maps(std::vector<Chart>& charts, const ReportDevice& device);

}  // namespace percycle
