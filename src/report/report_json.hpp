#pragma once

#include <ostream>

#include "report/report_data.hpp"

namespace percycle {

/// All of a report as JSON for other programs (README.md, "report.json"): the devices, their hierarchies and tables with every point.
void write_json(std::ostream& out, const ReportData& data);

}  // namespace percycle
