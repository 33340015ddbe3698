#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "charts/report_charts.hpp"
#include "report/report_tables.hpp"
#include "report/text_table.hpp"

namespace percycle {

/// A chart as a file.
struct ChartFile {
  std::string name;
  std::string specification;  ///< Vega-Lite JSON
  std::size_t marks = 0;
  std::size_t points = 0;
  bool on_page = true;  ///< else the page links to the file
};

/// The data of a report's page, for its script, and all charts.
struct ReportContent {
  nlohmann::json data;
  std::vector<ChartFile> charts;
  TextTable efficiency{};  ///< of all cards; without rows if none has a limit
};

/// Where a report has the table of all cards' shares, without suffix.
inline constexpr const char* kEfficiencyFile = "tables/efficiency-of-all-cards";

/// The page of a report with its charts.
struct ReportPage {
  std::string html;  ///< self-contained: needs no other file and no network
  std::vector<ChartFile> charts;
  TextTable efficiency{};
};

/// The data from which report.js makes tables and charts. Tables show their first rows (all at most
/// `most_rows_in_all`, some 3 MB), charts as many points as kMostPoints allows; the page says where
/// the rest is. `tables`: report_tables(data).
ReportContent report_content(const ReportData& data, const std::vector<DeviceTables>& tables,
                             std::size_t most_rows_in_all = 16'000);

/// The template report.html with the report's data.
ReportPage report_page(const ReportData& data, const std::vector<DeviceTables>& tables, std::size_t most_rows_in_all = 16'000);

}  // namespace percycle
