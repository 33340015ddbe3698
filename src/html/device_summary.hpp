#pragma once

#include <nlohmann/json.hpp>

#include "html/report_charts.hpp"

namespace percycle {

/// A device as the page shows it (report.js): its name, its identity, its runs, a drawing of its memory hierarchy and a sentence about it.
nlohmann::json device_summary(const ReportDevice& device, const ReportCharts& charts);

}  // namespace percycle
