#pragma once

#include <vector>

#include "charts/chart.hpp"
#include "report/report_data.hpp"

namespace percycle {

/// The measured ceilings of each device.
std::vector<Chart> rooflines(const std::vector<ReportDevice>& devices);

}  // namespace percycle
