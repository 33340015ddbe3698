#include "report/report_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/printable.hpp"
#include "core/version.hpp"

namespace percycle {
namespace {

using nlohmann::json;

/// Drivers' names are not always UTF-8: rather lose a character than the report.
std::string dump(const json& value) { return value.dump(-1, ' ', false, json::error_handler_t::replace); }

json to_json(const ReportRun& run) {
  const Header& header = run.header;
  json object = {{"id", header.id}, {"name", run.name}};
  if (const auto& from = header.publication) {
    object["citation"] = {{"document", printable(from->document)}, {"place", printable(from->place)}, {"year", from->year}};
    object["method"] = printable(from->method);
    object["printed_unit"] = printable(from->printed_unit);
    return object;
  }
  object["created"] = header.created;
  object["tool_version"] = printable(header.tool_version);
  object["preset"] = printable(header.options.preset);
  return object;
}

json heading_of(const ReportDevice& device) {
  const Header& header = device.header();
  json object = {{"label", device.label},
                 {"source", to_string(device.source)},
                 {"name", printable(header.device.name)},
                 {"vendor", printable(header.device.vendor)},
                 {"unit_name", device.unit_name}};
  if (device.source != Source::published) {
    object["api"] = to_string(header.device.api);
    object["driver"] = printable(header.device.driver);
    object["identity"] = printable(header.identity);
    object["architecture"] = printable(header.architecture);
  }
  object["runs"] = json::array();
  for (const ReportRun& run : device.runs) object["runs"].push_back(to_json(run));
  if (device.analysis) {
    json analysis = to_json(*device.analysis);
    for (const char* said : {"schema", "source", "device", "api", "driver", "identity", "unit_name", "runs", "points"}) {
      analysis.erase(said);
    }
    object["analysis"] = std::move(analysis);
  }
  return object;
}

/// Writes row after row: the JSON of all rows together would take many times their memory.
void write_table(std::ostream& out, const PointTable& table) {
  json keys = json::array();
  for (const PointColumn& column : table.columns) keys.push_back(column.key);
  for (const char* key : {"status", "reason", "notes"}) keys.push_back(key);
  out << "{\"columns\":" << dump(keys) << ",\"rows\":[";
  bool first = true;
  for (const TableLine& line : table.lines) {
    json::array_t row;
    row.reserve(table.columns.size() + 3);
    for (const PointColumn& column : table.columns) row.push_back(to_json(cell_of(*line.row, column)));
    row.emplace_back(to_string(line.row->status));
    row.push_back(line.row->reason ? json(*line.row->reason) : json(nullptr));
    row.emplace_back(line.notes);
    out << (first ? "\n" : ",\n") << dump(std::move(row));
    first = false;
  }
  out << "],\"notes\":" << dump(table.notes) << '}';
}

void write_device(std::ostream& out, const ReportDevice& device, const DeviceTables& tables) {
  std::string heading = dump(heading_of(device));
  heading.pop_back();  // its closing brace
  out << heading << ",\"tables\":{";
  bool first = true;
  for (const auto& [experiment, table] : tables.experiments) {
    out << (first ? "\n" : ",\n") << dump(experiment) << ':';
    write_table(out, table.points);
    first = false;
  }
  out << "}}";
}

}  // namespace

json to_json(const Cell& cell) {
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return *whole;
  if (const auto* value = std::get_if<double>(&cell)) return *value;
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  return nullptr;
}

void write_json(std::ostream& out, const ReportData& data, const std::vector<DeviceTables>& tables) {
  out << "{\"schema\":1,\"percycle\":" << dump(tool_version()) << ",\"devices\":[";
  for (std::size_t i = 0; i < data.devices.size(); ++i) {
    out << (i == 0 ? "\n" : ",\n");
    write_device(out, data.devices[i], tables[i]);
  }
  out << "\n]}\n";
}

}  // namespace percycle
