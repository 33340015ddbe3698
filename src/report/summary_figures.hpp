#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/report_data.hpp"

namespace percycle {

/// A main figure of a device.
struct SummaryValue {
  std::string line;   ///< "bandwidth"
  std::string name;   ///< "L1"
  std::string words;  ///< "33.43 TB/s (127.9 B/SM/cycle, 99.9 % of limit)"
  double value = 0;   ///< in the unit of its figure, which all devices share
  /// The order of its section, and its position there.
  std::pair<int, std::size_t> place{};
};

/// The figures that the presentations of a device's experiments name, in the order of their
/// sections.
std::vector<SummaryValue> summary_figures(const ReportDevice& device);

/// The rows of an experiment with figures in the summary.
struct SummarySection {
  std::string experiment;
  const Presentation* about = nullptr;
  std::vector<const PointRow*> rows;  ///< the latest of each point
};

/// In the order of the sections.
std::vector<SummarySection> summary_sections(const ReportDevice& device);

/// The row that shows a figure of the wanted ones; nullptr if no row matches.
const PointRow* summary_row(std::vector<const PointRow*> rows, const SummaryFigure& wanted, std::string_view name);

/// "1980 MHz (median of all points; 1500 to 1995 MHz); up to 690 W"; empty if nothing was read.
std::string clock_words(const ReportDevice& device);

}  // namespace percycle
