#pragma once

#include <ostream>
#include <vector>

#include "report/report_tables.hpp"

namespace percycle {

/// Writes a report as JSON for other programs (docs/commands.md, report): the devices with their
/// hierarchies and tables of every point. `tables`: report_tables(data).
void write_json(std::ostream& out, const ReportData& data, const std::vector<DeviceTables>& tables);

}  // namespace percycle
