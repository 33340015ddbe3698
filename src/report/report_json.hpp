#pragma once

#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <vector>

#include "report/report_tables.hpp"

namespace percycle {

/// A number or text; null for none and for an unknown value.
nlohmann::json to_json(const Cell& cell);

/// Writes a report as JSON for other programs (docs/commands.md, report): the devices with their
/// hierarchies and tables of every point. `tables`: report_tables(data).
void write_json(std::ostream& out, const ReportData& data, const std::vector<DeviceTables>& tables);

}  // namespace percycle
