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

/// A symmetric square of units by units, in the order of `order` (units that it lacks come last).
/// Neighbours share a cell, which has the median of their values, where there are more than
/// `most_cells` pairs or too many gaps.
Chart handover_heatmap(const std::string& name, const std::string& title, const std::vector<UnitPair>& pairs,
                       const std::vector<std::uint32_t>& order, std::size_t most_cells);

/// How many pairs take how long.
Chart handover_histogram(const std::string& name, const std::string& title, const std::vector<UnitPair>& pairs);

}  // namespace percycle
