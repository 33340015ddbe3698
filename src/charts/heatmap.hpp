#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "charts/chart.hpp"

namespace percycle {

/// The value measured between two units.
struct UnitPair {
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  double ns = 0;
};

/// A symmetric square of units by units. With more than `most_cells` pairs neighbouring units share
/// a cell, which has the median of their values.
Chart handover_heatmap(const std::string& name, const std::string& title, const std::vector<UnitPair>& pairs,
                       std::size_t most_cells);

}  // namespace percycle
