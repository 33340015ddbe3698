#pragma once

#include <string>
#include <vector>

#include "charts/chart.hpp"
#include "charts/drawing.hpp"
#include "presentation/presentation.hpp"

namespace percycle {

/// Figures over a parameter: a chart for each value by which the plan splits the rows, or for each
/// device.
void add_curves(std::vector<Chart>& charts, const std::string& experiment, const std::vector<DeviceRows>& devices,
                const CurveChart& plan, const ChartName& group);

}  // namespace percycle
