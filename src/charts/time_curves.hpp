#pragma once

#include <vector>

#include "charts/chart.hpp"
#include "charts/drawing.hpp"

namespace percycle {

/// The curves of a device's sustained loads over time, one chart per quantity.
void add_load_charts(std::vector<Chart>& charts, const ReportDevice& device, const std::vector<const PointRow*>& rows);

/// Clocks and power during the measurements.
std::vector<Chart> clock_charts(const std::vector<ReportDevice>& devices);

}  // namespace percycle
