#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "charts/report_charts.hpp"

namespace percycle {

/// The data of a device for the page (report.js): name, identity, runs, a drawing of its memory
/// hierarchy, smaller ones of its caches of instructions and constants, and a sentence about it.
nlohmann::json device_summary(const ReportDevice& device, const ReportCharts& charts);

/// The path whose levels are drawn: the global one, else the first with any, except that of
/// constants; else empty.
std::string main_path(const Hierarchy& hierarchy);

}  // namespace percycle
