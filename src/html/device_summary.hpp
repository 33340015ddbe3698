#pragma once

#include <string>

#include "html/report_charts.hpp"
#include "report/efficiency.hpp"

namespace percycle {

/// What a device is, its hierarchy as a drawing with sizes, latencies and bytes per cycle, and how close its bandwidths come to their limits, in so
/// many rows of them; 0: without that table.
std::string device_summary(const ReportDevice& device, const ReportCharts& charts, const EfficiencyTable& efficiency,
                           std::size_t rows);

/// How close a device's bandwidths come to their limits, as a table of some of its lines.
std::string efficiency_part(const ReportDevice& device, const EfficiencyTable& efficiency, const std::vector<std::size_t>& lines);

}  // namespace percycle
