#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/report_data.hpp"

namespace percycle {

/// The rows of an experiment with figures in the summary.
struct SummarySection {
  std::string experiment;
  const Presentation* about = nullptr;
  std::vector<const PointRow*> rows;  ///< the latest of each point
};

/// In the order of the sections.
std::vector<SummarySection> summary_sections(const ReportDevice& device);

/// Whether a row, with figures or without, is one of the wanted points.
bool is_asked(const PointRow& row, const SummaryFigure& wanted);

/// The row that shows a figure of the wanted ones; nullptr if no row matches.
const PointRow* summary_row(std::vector<const PointRow*> rows, const SummaryFigure& wanted, std::string_view name);

/// "1980 MHz (median of all points; 1500 to 1995 MHz); up to 690 W"; empty if nothing was read.
std::string clock_words(const ReportDevice& device);

}  // namespace percycle
