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

/// The template report.html with the report's data in it, from which report.js makes tables and charts. A table shows its first rows, a chart draws as many
/// points as DrawingLimits say; the page says where the rest is.
/// `tables`: report_tables(data).
ReportPage report_page(const ReportData& data, const std::vector<DeviceTables>& tables);

}  // namespace percycle
