#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "charts/chart.hpp"
#include "charts/drawing.hpp"
#include "charts/series.hpp"
#include "presentation/presentation.hpp"

namespace percycle {

/// A size at which a level ends, to be marked.
struct Edge {
  double x = 0;
  std::string series;  ///< its series
  std::string label;   ///< "L1 227 KiB"
};

inline constexpr std::size_t kMostPoints = 300;  ///< of a line; the CSV files have all

/// The y of a plan over its x, at most kMostSeries lines with at most `most_points` each. `edges`
/// are marked in the colour of their series, those of the first series with labels. `all`: the
/// series of all charts with the same scales. A flat line does not fill the height: the axis shows
/// at least 10 % around it.
Chart curve_chart(const CurveChart& plan, const ChartName& end, std::span<const Series> series,
                  const std::vector<Edge>& edges = {}, std::span<const Series> all = {}, std::size_t most_points = kMostPoints);

/// Figures over a parameter: a chart for each value by which the plan splits the rows, or for each
/// device.
void add_curves(std::vector<Chart>& charts, const std::string& experiment, const std::vector<DeviceRows>& devices,
                const CurveChart& plan, const ChartName& group);

/// The values of single operations by their position; the last row of each line counts.
void add_position_charts(std::vector<Chart>& charts, const ReportDevice& device, const std::vector<const PointRow*>& rows,
                         const PositionChart& plan);

/// The curves of a device's sustained loads over time, one chart per quantity.
void add_load_charts(std::vector<Chart>& charts, const ReportDevice& device, const std::vector<const PointRow*>& rows);

/// Power and clock as shares of their limits, over the time of a sustained load: a chart per load
/// with the lines of all devices.
void add_load_shares(std::vector<Chart>& charts, const std::vector<DeviceRows>& devices);

/// Clocks and power during the measurements.
std::vector<Chart> clock_charts(const std::vector<ReportDevice>& devices);

/// The measured ceilings of each device.
std::vector<Chart> rooflines(const std::vector<ReportDevice>& devices);

}  // namespace percycle
