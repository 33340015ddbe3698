#pragma once

#include <nlohmann/json.hpp>

#include "charts/report_charts.hpp"

namespace percycle {

/// The data of a device for the page (report.js): name, identity, runs, a drawing of its memory
/// hierarchy, smaller ones of its caches of instructions and constants, and a sentence about it.
nlohmann::json device_summary(const ReportDevice& device, const ReportCharts& charts);

}  // namespace percycle
