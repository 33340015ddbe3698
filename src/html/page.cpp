#include "html/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "charts/card_bars.hpp"
#include "charts/curves.hpp"
#include "charts/theme.hpp"
#include "core/counted.hpp"
#include "core/printable.hpp"
#include "core/version.hpp"
#include "html/device_overview.hpp"
#include "html/device_summary.hpp"
#include "html/escape.hpp"
#include "html/fill.hpp"
#include "html/page_file.hpp"
#include "presentation/presentation.hpp"
#include "report/card_columns.hpp"
#include "report/efficiency_across.hpp"
#include "report/finding_tables.hpp"
#include "report/table_files.hpp"

namespace percycle {
namespace {

using nlohmann::json;

/// Scripts and styles of the page itself, no code made from text, no other host.
constexpr const char* kPolicy =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'";
constexpr std::size_t kMostRows = 500;           // per table
constexpr std::size_t kFewestRows = 40;          // per table, if it has as many
constexpr std::size_t kMostEfficiencyRows = 40;  // per device
constexpr std::size_t kMostCharts = 64;          // per experiment; the others are files only
// Each chart of cards is short: it has a bar per card.
constexpr std::size_t kAllCharts = std::numeric_limits<std::size_t>::max();

/// The number of rows that every table shows.
std::size_t rows_per_table(const std::vector<DeviceTables>& devices, std::size_t most_in_all) {
  const auto rows_in_all = [&](std::size_t most) {
    std::size_t sum = 0;
    for (const DeviceTables& device : devices) {
      for (const auto& [experiment, table] : device.experiments) sum += std::min(table.best().lines.size(), most);
    }
    return sum;
  };
  std::size_t most = kMostRows;
  while (most > kFewestRows && rows_in_all(most) > most_in_all) --most;
  return most;
}

/// "measured-in-kernel (912 points), reported (3 points)"
std::string clocks_of(const PointTable& table) {
  std::map<std::string, std::size_t> counts;
  for (const TableLine& line : table.lines) {
    if (!line.row->is_ok()) continue;
    const Cell* clock = find_figure(*line.row, "clock");
    ++counts[clock ? exact_text_of(*clock) : "not known"];
  }
  std::string text;
  for (const auto& [clock, count] : counts)
    text += fmt::format("{}{} ({} {})", text.empty() ? "" : ", ", clock, count, count == 1 ? "point" : "points");
  return text;
}

/// The columns and rows of a table.
json grid_data(TextTable table) {
  json columns = json::array();
  for (const TextColumn& column : table.columns)
    columns.push_back({{"title", column.title}, {"left", column.align == Align::left}});
  json rows = json::array();
  for (TextRow& row : table.rows) rows.push_back(std::move(row.cells));
  return {{"columns", std::move(columns)}, {"rows", std::move(rows)}};
}

/// A table for each kind of finding.
json finding_data(const ReportDevice& device) {
  json list = json::array();
  if (!device.analysis) return list;
  for (FindingTable& found : findings_of(*device.analysis).tables) {
    for (TextRow& row : found.table.rows) {
      for (std::string& cell : row.cells) cell = printable(cell);
    }
    json part = grid_data(std::move(found.table));
    part["caption"] = part["heading"] = found.title;
    part["notes"] = json::array();
    for (const std::string& note : found.notes) part["notes"].push_back({part["notes"].size() + 1, printable(note)});
    list.push_back(std::move(part));
  }
  return list;
}

/// The first rows of a table whose files are called `file`; `points`: rows in those files.
json table_data(const PointTable& table, std::size_t most_rows, std::size_t points, const std::string& caption,
                const std::string& file) {
  TextTable text = shown_table(table, most_rows);
  const bool has_notes =
      std::any_of(text.rows.begin(), text.rows.end(), [](const TextRow& row) { return !row.cells.back().empty(); });
  if (!has_notes) {
    text.columns.pop_back();
    for (TextRow& row : text.rows) row.cells.pop_back();
  }
  std::map<std::size_t, std::string> notes;  // by number
  for (std::size_t i = 0; i < text.rows.size(); ++i) {
    for (const std::size_t note : table.lines[i].notes) notes.emplace(note + 1, table.notes[note]);
  }
  json data = grid_data(std::move(text));
  if (has_notes) data["columns"].back()["notes"] = true;
  data.update({{"caption", caption},
               {"notes", json::array_t(notes.begin(), notes.end())},
               {"answers", table.lines.size()},
               {"points", points},
               {"file", file}});
  return data;
}

/// The tables of an experiment, device after device.
json experiment_tables(const std::string& experiment, const ReportData& data, const std::vector<DeviceTables>& tables,
                       std::size_t most_rows) {
  json list = json::array();
  for (std::size_t i = 0; i < data.devices.size(); ++i) {
    const auto found = tables[i].experiments.find(experiment);
    if (found == tables[i].experiments.end()) continue;
    const ReportDevice& device = data.devices[i];
    const PointTable& table = found->second.best();
    json part = table_data(table, most_rows, found->second.points.lines.size(),
                           fmt::format("{} of {}", title_of(experiment), device.label),
                           fmt::format("tables/{}-{}", device.slug, experiment));
    part["device"] = device.label;
    part["source"] = to_string(device.source);
    const std::string clocks = device.source == Source::published ? "" : clocks_of(table);
    part["heading"] = table.title() + (clocks.empty() ? "." : fmt::format(". Clock: {}.", clocks));
    list.push_back(std::move(part));
  }
  return list;
}

json device_data(const ReportDevice& device, const DeviceTables& tables, const ReportCharts& charts, std::size_t most_rows) {
  json summary = device_summary(device, charts);
  summary["findings"] = finding_data(device);
  if (const PointTable& table = tables.efficiency.table; !table.lines.empty()) {
    summary["efficiency"] = table_data(table, std::min(most_rows, kMostEfficiencyRows), table.lines.size(),
                                       "Bandwidths of " + device.label, fmt::format("tables/{}-efficiency", device.slug));
  }
  return summary;
}

/// A list of objects as rows of values after a row of names; [] stands for the text of the row
/// above. Repeated names and texts would be most of the page's bytes.
json named_rows(const json& objects) {
  std::set<std::string> names;
  for (const json& object : objects) {
    for (const auto& member : object.items()) names.insert(member.key());
  }
  json rows = json::array({names});
  json above;
  for (const json& object : objects) {
    json values = json::array();
    for (const std::string& name : names) values.push_back(object.value(name, json()));
    rows.push_back(values);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i].is_string() && !above.empty() && above[i] == values[i]) rows.back()[i] = json::array();
    }
    above = std::move(values);
  }
  return rows;
}

/// A chart's specification without the page's own parts, with the data of its layers as
/// named_rows().
json page_spec(json spec) {
  for (const char* name : {"config", "title", "description"}) spec.erase(name);
  const auto shorten = [](json& part) {
    if (part.contains("data")) part["data"]["values"] = named_rows(part["data"]["values"]);
  };
  shorten(spec);
  for (json& layer : spec["layer"]) shorten(layer);
  return spec;
}

/// The charts of a section: the page draws the first `most` of them, all get files.
json chart_list(std::vector<Chart> charts, std::vector<ChartFile>& files, std::size_t most = kMostCharts) {
  json list = json::array();
  for (Chart& chart : charts) {
    files.push_back({chart.name, chart.spec.dump(1) + '\n', chart.marks, chart.points, list.size() < most});
    json part = {{"name", chart.name}, {"title", chart.title}};
    if (!chart.remarks.empty()) part["remarks"] = chart.remarks;
    if (!chart.devices.empty()) part["devices"] = chart.devices;
    if (!chart.bands.empty()) part["bands"] = chart.bands;
    if (list.size() < most) {
      part["description"] = printable(chart.description, 2000);
      part["marks"] = chart.marks;
      part["points"] = chart.points;
      part["spec"] = page_spec(std::move(chart.spec));
    }
    list.push_back(std::move(part));
  }
  return list;
}

constexpr std::size_t kLeadingCards = 3;  // so many cards need a bar for each at the top

/// The section that sets all cards beside each other; none for a card alone.
json cards_section(const ReportData& data, ReportContent& content) {
  const KeyFigures figures = key_figures(report_columns(data), KeyDepth::devices);
  if (figures.columns.size() < 2) return nullptr;
  json charts = chart_list(card_bar_charts(figures), content.charts, kAllCharts);
  content.efficiency = efficiency_across(figures);
  json tables = json::array();
  if (const std::size_t rows = content.efficiency.rows.size(); rows > 0) {
    tables.push_back(grid_data(content.efficiency));
    tables.back().update({{"caption", "Shares of the limit"},
                          {"heading", "Shares of the limit."},
                          {"notes", json::array()},
                          {"answers", rows},
                          {"points", rows},
                          {"file", kEfficiencyFile}});
  }
  if (charts.empty() && tables.empty()) return nullptr;
  return {{"id", "cards"},
          {"title", "Cards beside each other"},
          {"method",
           "Each chart has one bar per card: its best figure, beside the limit where one is known. Rates per unit and cycle "
           "compare designs, rates per second compare cards. If the APIs of a card differ by more than 5 %, both have a bar."},
          {"leads", figures.columns.size() >= kLeadingCards},
          {"charts", std::move(charts)},
          {"tables", std::move(tables)}};
}

}  // namespace

ReportContent report_content(const ReportData& data, const std::vector<DeviceTables>& tables, std::size_t most_rows_in_all) {
  const ReportCharts charts(data);
  const std::size_t most_rows = rows_per_table(tables, most_rows_in_all);
  ReportContent content;
  json devices = json::array();
  for (std::size_t i = 0; i < data.devices.size(); ++i)
    devices.push_back(device_data(data.devices[i], tables[i], charts, most_rows));

  json sections = json::array();
  if (json cards = cards_section(data, content); !cards.is_null()) sections.push_back(std::move(cards));
  for (const std::string& experiment : charts.experiments()) {
    sections.push_back({{"id", "e-" + experiment},
                        {"title", title_of(experiment)},
                        {"experiment", experiment},
                        {"method", presentation_of(experiment).method},
                        {"leads", presentation_of(experiment).leads},
                        {"charts", chart_list(charts.of_experiment(experiment), content.charts)},
                        {"tables", experiment_tables(experiment, data, tables, most_rows)}});
  }
  const auto add_charts = [&](const char* id, const char* title, const char* method, std::vector<Chart> list) {
    if (list.empty()) return;
    sections.push_back({{"id", id},
                        {"title", title},
                        {"method", method},
                        {"charts", chart_list(std::move(list), content.charts)},
                        {"tables", json::array()}});
  };
  add_charts("clocks", "Clocks and power",
             "Core clock and power during the measurement of points, run after run. The cycles in this "
             "report come from a kernel's counter; telemetry may lag.",
             clock_charts(data.devices));
  add_charts("ceilings", "Ceilings of programs",
             "A program stays below the slope of the level that holds its data, and below the line of its kind of operation. "
             "Each line is the highest measured figure. `percycle ceilings` prints all of them with their records.",
             rooflines(data.devices));
  add_charts(
      "apis", "OpenCL and Vulkan on one card",
      "Each point was measured on one card through both APIs with the same kernel. Points right of 1 are faster through Vulkan, "
      "points left of 1 through OpenCL. Differences of more than 5 % have another mark, and the five largest have names. "
      "`percycle isa KERNEL` shows the machine code of both.",
      charts.of_apis());

  content.data = {{"overview", device_overview(data)},
                  {"devices", std::move(devices)},
                  {"sections", std::move(sections)},
                  {"themes", {{"light", theme_config(Theme::light)}, {"dark", theme_config(Theme::dark)}}}};
  return content;
}

ReportPage report_page(const ReportData& data, const std::vector<DeviceTables>& tables, std::size_t most_rows_in_all) {
  ReportContent content = report_content(data, tables, most_rows_in_all);
  PageValues values{{"version", tool_version()},
                    {"devices", counted(data.devices.size(), "device")},
                    {"points", counted(data.points, "point")},
                    {"files", counted(data.files, "file")},
                    {"facts", html_text(run_facts(data))},
                    {"data", script_json(content.data)}};
  values["title"] = "percycle: " + values["devices"];
  for (const auto& [name, file] : {std::pair("styles", "report.styles.html"), std::pair("about", "report.about.html"),
                                   std::pair("scripts", "report.scripts.html")})
    values[name] = fill(page_file(file), values);
  values["policy"] = kPolicy;
  values["text_files"] = ", as text: <a class=\"md\"></a>";
  return {.html = fill(page_file("report.html"), values),
          .charts = std::move(content.charts),
          .efficiency = std::move(content.efficiency)};
}

}  // namespace percycle
