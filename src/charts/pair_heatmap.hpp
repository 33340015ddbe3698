#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "charts/chart.hpp"
#include "charts/drawing.hpp"
#include "core/unit_pair.hpp"
#include "presentation/presentation.hpp"

namespace percycle {

/// A symmetric square of units by units, in the order of `order` (units that it lacks come last).
/// Neighbours share a cell, which has the median of their values, where there are more than
/// `most_cells` pairs or too many gaps. `operation`: the word for what takes the time.
Chart pair_heatmap(const ChartName& name, const std::string& operation, const std::vector<UnitPairTime>& pairs,
                   const std::vector<std::uint32_t>& order, std::size_t most_cells = kMostCells);

/// How many pairs take how long.
Chart pair_histogram(const ChartName& name, const std::string& operation, const std::vector<UnitPairTime>& pairs);

/// A map and a histogram of each device.
void add_pair_charts(std::vector<Chart>& charts, const std::string& experiment, const std::vector<DeviceRows>& devices,
                     const PairChart& plan);

}  // namespace percycle
