#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "charts/chart.hpp"
#include "charts/drawing.hpp"

namespace percycle {

struct LineMapStyle {
  std::string name;
  std::string title;
  std::string value_title;
};

/// A rectangle of lines of a cache by units, each in the given order: `values[line][unit]`.
/// Neighbours share a cell, which has the median of their values, where there are more than
/// `most_cells`.
Chart line_map(const LineMapStyle& style, const std::vector<std::vector<double>>& values,
               const std::vector<std::uint32_t>& line_order, const std::vector<std::uint32_t>& unit_order,
               std::size_t most_cells);

/// The maps that the analysis of a device read.
void add_chip_maps(std::vector<Chart>& charts, const ReportDevice& device, const DrawingLimits& limits);

}  // namespace percycle
