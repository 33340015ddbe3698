#pragma once

#include <vector>

#include "charts/chart.hpp"
#include "charts/drawing.hpp"
#include "presentation/presentation.hpp"

namespace percycle {

/// The values of single operations by their position; the last row of each line counts.
void add_position_charts(std::vector<Chart>& charts, const ReportDevice& device, const std::vector<const PointRow*>& rows,
                         const PositionChart& plan);

}  // namespace percycle
