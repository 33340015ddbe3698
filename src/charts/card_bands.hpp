#pragma once

#include <string>
#include <vector>

#include "charts/series.hpp"
#include "report/report_data.hpp"

namespace percycle {

/// A line of a chart.
struct Line {
  Series series;
  const ReportDevice* device = nullptr;  ///< of a band: its first card
  std::string words{};                   ///< parameters that distinguish the lines of a device
  std::vector<std::string> cards{};      ///< of a band: labels of its cards
};

/// Replaces the lines of three or more cards of one kind through one API by one line: their median
/// with the lowest and highest card at each point that at least half of them have. Lines with too
/// few points in common stay alone.
std::vector<Line> with_bands(std::vector<Line> lines);

}  // namespace percycle
