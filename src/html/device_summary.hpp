#pragma once

#include <string>

#include "html/report_charts.hpp"

namespace percycle {

/// What a device is, its hierarchy as a drawing with sizes, latencies and bytes per cycle, and how close its bandwidths come to their limits.
std::string device_summary(const ReportDevice& device, const ReportCharts& charts, Texts& texts, const DrawingLimits& limits);

}  // namespace percycle
