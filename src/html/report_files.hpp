#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "report/report_data.hpp"

namespace percycle {

/// The folder of a report's charts, and the end of their files' names.
inline constexpr const char* kChartFolder = "charts";
inline constexpr const char* kChartFile = ".vl.json";

/// Writes page, charts, tables and JSON of a report into a folder and replaces an earlier report
/// there. Returns the names of the charts. Throws RunError.
std::vector<std::string> write_report(const ReportData& data, const std::filesystem::path& folder);

}  // namespace percycle
