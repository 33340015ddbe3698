#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "charts/chart.hpp"
#include "charts/drawing.hpp"
#include "core/unit_pair.hpp"
#include "presentation/presentation.hpp"

namespace percycle {

/// The words of a chart over pairs of units.
struct PairWords {
  std::string name;  ///< file name
  std::string title;
  std::string operation;  ///< that takes the time
};

/// A symmetric square of units by units, in the order of `order` (units that it lacks come last).
/// Neighbours share a cell, which has the median of their values, where there are more than
/// `most_cells` pairs or too many gaps.
Chart pair_heatmap(const PairWords& words, const std::vector<UnitPairTime>& pairs, const std::vector<std::uint32_t>& order,
                   std::size_t most_cells);

/// How many pairs take how long.
Chart pair_histogram(const PairWords& words, const std::vector<UnitPairTime>& pairs);

/// A map and a histogram of each device.
void add_pair_charts(std::vector<Chart>& charts, const std::string& experiment, const std::vector<DeviceRows>& devices,
                     const PairChart& plan, const DrawingLimits& limits);

}  // namespace percycle
