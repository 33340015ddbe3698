#pragma once

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include "core/printable.hpp"
#include "core/version.hpp"
#include "report/hierarchy_fields.hpp"
#include "report/report_tables.hpp"
#include "store/record_fields.hpp"

// The members of report.json. See json/fields.hpp; docs/commands.md describes the format.

namespace percycle {

void fields(auto& v, Like<ReportRun> auto& run) {
  const Header& header = run.header;
  const bool is_published = header.published();
  const Publication from = header.publication.value_or(Publication());
  v.required("id", header.id);
  v.required("name", run.name);
  v.object_where(is_published, "citation", [&](auto& citation) {
    citation.required("document", printable(from.document));
    citation.required("place", printable(from.place));
    citation.required("year", from.year);
  });
  v.where(is_published, "method", printable(from.method));
  v.where(is_published, "printed_unit", printable(from.printed_unit));
  v.where(!is_published, "created", header.created);
  v.where(!is_published, "tool_version", printable(header.tool_version));
  v.where(!is_published, "preset", printable(header.options.preset));
  v.also(true, "", "",
         R"({"if": {"required": ["citation"]}, "then": {"required": ["method", "printed_unit"]},
             "else": {"required": ["created", "tool_version", "preset"]}})");
}

/// The last run's; an empty one for the device without runs that a schema is made from.
inline const Header& header_of(const ReportDevice& device) {
  return value_behind(device.runs.empty() ? nullptr : &device.header());
}

void device_fields(auto& v, const ReportDevice& device) {
  const Header& header = header_of(device);
  const bool is_run = device.source != Source::published;
  v.required("source", device.source);
  v.required("name", printable(header.device.name));
  v.required("vendor", printable(header.device.vendor));
  v.required("unit_name", device.unit_name);
  v.where(is_run, "api", header.device.api);
  v.where(is_run, "driver", printable(header.device.driver));
  v.where(is_run, "card", static_cast<std::uint64_t>(device.card));
  v.where(is_run, "architecture", printable(header.architecture));
  v.also(true, "", "",
         R"({"if": {"not": {"properties": {"source": {"const": "published"}}}},
             "then": {"required": ["api", "driver", "card", "architecture"]}})");
}

/// A value of a row: a cell, or the numbers of the row's notes.
using RowValue = std::variant<Cell, std::vector<std::size_t>>;

/// Columns, status, reason and notes.
inline std::vector<RowValue> row_values(const PointTable& table, const TableLine& line) {
  std::vector<RowValue> row;
  row.reserve(table.columns.size() + 3);
  for (const PointColumn& column : table.columns) row.emplace_back(cell_of(*line.row, column));
  row.emplace_back(Cell(std::string(to_string(line.row->status))));
  row.emplace_back(line.row->reason ? Cell(*line.row->reason) : Cell());
  row.emplace_back(line.notes);
  return row;
}

void table_fields(auto& v, const PointTable& table) {
  std::vector<std::string> keys;
  for (const PointColumn& column : table.columns) keys.push_back(column.key);
  keys.insert(keys.end(), {"status", "reason", "notes"});
  v.required("columns", keys);
  v.rows(
      "rows", table.lines, [&](const TableLine& line) { return row_values(table, line); },
      kAllComputed.with("a value per column; null: unknown; the last one has indices of `notes`"));
  v.required("notes", table.notes);
}

/// A device with its tables.
struct TabledDevice {
  const ReportDevice* device = nullptr;
  const DeviceTables* tables = nullptr;
};

void fields(auto& v, Like<TabledDevice> auto& tabled) {
  const ReportDevice& device = value_behind(tabled.device);
  device_fields(v, device);
  v.required("label", device.label);
  v.required("runs", device.runs);
  v.object_where(device.analysis.has_value(), "analysis",
                 [&](auto& analysis) { findings_fields(analysis, value_behind(device.analysis ? &*device.analysis : nullptr)); });
  v.object("tables", [&](auto& tables) {
    tables.entries(
        value_behind(tabled.tables).experiments, kName, {},
        [](auto& each, std::string_view, const ExperimentTables& experiment) { table_fields(each, experiment.points); });
  });
}

/// All devices of a report.
struct ReportFile {
  std::vector<TabledDevice> devices;
};

void fields(auto& v, Like<ReportFile> auto& report) {
  v.constant("schema", 1);
  v.required("percycle", std::string(tool_version()));
  v.items("devices", report.devices, [](auto& each, const TabledDevice& device) { fields(each, device); });
}

}  // namespace percycle
