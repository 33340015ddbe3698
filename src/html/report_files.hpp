#pragma once

#include <filesystem>

#include "report/report_data.hpp"

namespace percycle {

/// Writes the page, the charts, the tables and the JSON of a report into a folder; what an earlier report left there is replaced. Throws RunError.
void write_report(const ReportData& data, const std::filesystem::path& folder);

}  // namespace percycle
