#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "charts/chart.hpp"
#include "charts/drawing.hpp"
#include "presentation/presentation.hpp"

namespace percycle {

struct GridCell {
  std::int64_t x = 0;
  std::int64_t y = 0;
  double value = 0;
};

/// A table of coloured numbers. If a place has several values, the last one is drawn.
Chart grid_chart(const GridChart& plan, const ChartName& end, const std::string& value_title, const std::vector<GridCell>& cells);

/// A table for each question of a device whose points have both parameters of the plan.
void add_grids(std::vector<Chart>& charts, const ReportDevice& device, const std::string& experiment,
               const std::vector<PointRow>& rows, const GridChart& plan);

}  // namespace percycle
