#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "html/report_charts.hpp"
#include "report/report_tables.hpp"

namespace percycle {

/// A chart as a file.
struct ChartFile {
  std::string name;
  std::string specification;  ///< Vega-Lite's JSON
  std::size_t marks = 0;
  std::size_t points = 0;
};

/// A report's page, and its charts.
struct ReportPage {
  std::string html;  ///< one file that needs no other and no network
  std::vector<ChartFile> charts;
};

inline constexpr std::size_t kMostPageBytes = 5'000'000;

/// At most kMostPageBytes where that can be: where there is too much for it, charts that would take more than three fifths of
/// what its scripts leave have fewer points and sections fewer charts, and tables have as many rows, all of them alike, as the rest has room for.
/// `tables`: report_tables(data).
ReportPage report_page(const ReportData& data, const std::vector<DeviceTables>& tables);

}  // namespace percycle
