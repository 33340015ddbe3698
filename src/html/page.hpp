#pragma once

#include <string>
#include <vector>

#include "charts/chart.hpp"
#include "html/report_charts.hpp"

namespace percycle {

/// A report's page, and the charts on it.
struct ReportPage {
  std::string html;  ///< one file that needs no other and no network
  std::vector<Chart> charts;
};

inline constexpr std::size_t kMostPageBytes = 5'000'000;

/// At most kMostPageBytes where that can be: of what there is too much for it, lines have fewer points and tables fewer rows.
ReportPage report_page(const ReportData& data);

}  // namespace percycle
