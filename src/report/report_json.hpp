#pragma once

#include <nlohmann/json.hpp>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "json/convert.hpp"
#include "limits/limits.hpp"
#include "report/report_tables.hpp"

namespace percycle {

// to_json() of json/convert.hpp exists for Hierarchy, DeviceAnalysis, RunComparison, RunSummary,
// MeasuredCeilings and DeviceLimits, as their commands print them with --json, and for CardList,
// the cards.json of a site.

/// The catalogue as an object.
template <>
nlohmann::json to_json(const LimitsCatalogue& value);

/// Writes a report as JSON for other programs (docs/commands.md, report): the devices with their
/// hierarchies and tables of every point. `tables`: report_tables(data).
void write_json(std::ostream& out, const ReportData& data, const std::vector<DeviceTables>& tables);

/// The outputs with a published JSON Schema, by their command: "analyze", ...; "report" is the file
/// report.json, "site" the file cards.json.
std::span<const std::string_view> output_names();

/// The schema of one of them, made from the declarations in report/*_fields.hpp.
std::string output_schema(std::string_view name);

}  // namespace percycle
