#pragma once

#include <filesystem>

#include "report/report_data.hpp"

namespace percycle {

/// Writes page, charts, tables and JSON of a report into a folder and replaces an earlier report
/// there. Throws RunError.
void write_report(const ReportData& data, const std::filesystem::path& folder);

}  // namespace percycle
