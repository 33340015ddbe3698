#include "html/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "charts/theme.hpp"
#include "core/version.hpp"
#include "html/device_summary.hpp"
#include "html/escape.hpp"
#include "html/html_table.hpp"
#include "html/packed_rows.hpp"
#include "html/page_file.hpp"
#include "html/table_room.hpp"
#include "presentation/presentation.hpp"

namespace percycle {
namespace {

constexpr std::size_t kMostRows = 500;           // of one experiment and device
constexpr std::size_t kMostEfficiencyRows = 40;  // of one device
constexpr double kChartsShare = 0.6;             // of what the scripts leave of the page
constexpr std::array kScripts{"vega", "vega-lite", "vega-embed"};

/// A script that runs as it is; "</script" ends it wherever it stands.
std::string script(std::string_view code) {
  std::string text(code);
  for (std::size_t at = text.find("</script"); at != std::string::npos; at = text.find("</script", at))
    text.replace(at, 2, "<\\/");
  return fmt::format("<script>\n{}\n</script>\n", text);
}

std::string figure_of(const Chart& chart) {
  std::string text = fmt::format(
      "<figure aria-labelledby=\"t-{0}\"><figcaption id=\"t-{0}\">{1}{2}</figcaption>\n<div class=\"chart\" data-chart=\"{0}\" "
      "data-marks=\"{3}\" "
      "role=\"img\" aria-label=\"{1}\"></div>\n<details><summary>In words</summary><p>{4}</p></details></figure>\n",
      chart.name, html_text(chart.title),
      chart.marks < chart.points
          ? fmt::format(" <span class=\"faint\">(drawn: {} of {} points)</span>", chart.marks, chart.points)
          : "",
      chart.marks, html_text(printable(chart.description, 2000)));
  return text;
}

/// "measured-in-kernel (912 points), reported (3)"
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

/// The table of one experiment and device, whole.
struct DeviceTable {
  const ReportDevice* device = nullptr;
  const PointTable* table = nullptr;
  std::string clocks;
  std::size_t rows = 0;  ///< with those of a search's other configurations
};

/// All tables of the page.
struct PageTables {
  std::map<std::string, std::vector<DeviceTable>> of_experiments;
  std::vector<const EfficiencyTable*> efficiencies;  ///< by device
};

PageTables page_tables(const ReportData& data, const std::vector<DeviceTables>& all) {
  PageTables tables;
  for (std::size_t i = 0; i < data.devices.size(); ++i) {
    for (const auto& [experiment, table] : all[i].experiments) {
      tables.of_experiments[experiment].push_back(
          {&data.devices[i], &table.best(), clocks_of(table.best()), table.all.lines.size()});
    }
    tables.efficiencies.push_back(&all[i].efficiency);
  }
  return tables;
}

/// Some lines of it with what is to be said of the rest.
std::string table_part(const DeviceTable& of, const std::vector<std::size_t>& lines) {
  const auto& [device_of, table_of, clocks, rows] = of;
  const ReportDevice& device = *device_of;
  const PointTable& table = *table_of;
  const std::string& experiment = table.experiment;
  std::string text = fmt::format("<h3>{} <span class=\"kind\">{}</span></h3>\n<p class=\"faint\">{}.", html_text(device.label),
                                 to_string(device.source), html_text(table.title()));
  if (device.source != Source::published) {
    if (!clocks.empty()) text += fmt::format(" Clock: {}.", html_text(clocks));
  }
  text += "</p>\n" + html_table(table, lines, fmt::format("{} of {}", title_of(experiment), device.label));
  const std::string file = fmt::format("tables/{}-{}", device.slug, experiment);
  text += fmt::format("<p class=\"faint\">{} of {} rows", lines.size(), rows);
  const std::size_t best = table.lines.size();
  if (lines.size() < best) text += " (the best, both sides of edges, and every n-th of the rest)";
  if (best < rows) text += fmt::format("; {} are of a search's other configurations", rows - best);
  return text + fmt::format("; all: <a href=\"{0}.csv\">{0}.csv</a>, as text: <a href=\"{0}.md\">{0}.md</a></p>\n", file);
}

/// What a table would take, by some of its lines.
template <typename Part>
TableSize size_of(const PointTable& table, std::size_t most, const Part& part) {
  const std::size_t count = std::min<std::size_t>(table.lines.size(), 16);
  std::vector<std::size_t> some;
  for (std::size_t i = 0; i < count; ++i) some.push_back(i * table.lines.size() / count);
  const std::string text = part(some);
  const std::size_t begin = text.find("<tbody>");
  const auto in_lines = static_cast<double>(text.find("</tbody>", begin) - begin);
  return {.lines = std::min(table.lines.size(), most),
          .bytes_per_line = in_lines / static_cast<double>(std::max<std::size_t>(count, 1)),
          .other_bytes = static_cast<double>(text.size()) - in_lines};
}

std::vector<TableSize> sizes_of(const PageTables& tables, const ReportData& data) {
  std::vector<TableSize> sizes;
  for (const auto& [experiment, all] : tables.of_experiments) {
    for (const DeviceTable& table : all)
      sizes.push_back(size_of(*table.table, kMostRows, [&](const auto& lines) { return table_part(table, lines); }));
  }
  for (std::size_t i = 0; i < data.devices.size(); ++i) {
    const EfficiencyTable& one = *tables.efficiencies[i];
    if (one.rows.empty()) continue;
    sizes.push_back(
        size_of(one.table, kMostEfficiencyRows, [&](const auto& lines) { return efficiency_part(data.devices[i], one, lines); }));
  }
  return sizes;
}

/// The page's charts: the HTML around those of each section, and their specifications.
struct DrawnCharts {
  std::map<std::string, std::string>
      figures;        ///< by the section's name: an experiment's, or of kClocks and kApis; none where it has no charts
  std::string specs;  ///< the members of a JSON object
  std::vector<ChartFile> files;

  std::size_t bytes() const {
    std::size_t sum = specs.size();
    for (const auto& [section, text] : figures) sum += text.size();
    return sum;
  }
};

constexpr const char* kClocks = "clocks";
constexpr const char* kApis = "apis";

void draw_section(DrawnCharts& drawn, const std::string& section, std::vector<Chart> charts, std::size_t most) {
  if (charts.empty()) return;
  std::string text;
  std::string others;
  for (std::size_t i = 0; i < charts.size(); ++i) {
    Chart& chart = charts[i];
    drawn.files.push_back({chart.name, chart.spec.dump(1) + '\n', chart.marks, chart.points});
    if (i >= most) {
      others +=
          fmt::format("{}<a href=\"charts/{}.vl.json\">{}</a>", others.empty() ? "" : ", ", chart.name, html_text(chart.title));
      continue;
    }
    text += figure_of(chart);
    for (const char* part : {"config", "title", "description"}) chart.spec.erase(part);  // the page's own
    pack_data(chart.spec);
    drawn.specs += fmt::format("{}\"{}\":{}", drawn.specs.empty() ? "" : ",", chart.name, script_json(chart.spec));
    chart = {};
  }
  if (!others.empty()) text += fmt::format("<p class=\"faint\">Not drawn here, but files beside this page: {}.</p>\n", others);
  drawn.figures[section] = std::move(text);
}

DrawnCharts draw(const ReportCharts& charts, const DrawingLimits& limits) {
  DrawnCharts drawn;
  for (const std::string& experiment : charts.experiments())
    draw_section(drawn, experiment, charts.of_experiment(experiment, limits), limits.charts);
  draw_section(drawn, kClocks, charts.of_clocks(limits), limits.charts);
  draw_section(drawn, kApis, charts.of_apis(limits), limits.charts);
  return drawn;
}

/// With as many points as `bytes` have room for; not all that is drawn shrinks with its limit.
DrawnCharts draw_within(const ReportCharts& charts, double bytes) {
  DrawingLimits limits;
  for (;;) {
    DrawnCharts drawn = draw(charts, limits);
    const auto taken = static_cast<double>(drawn.bytes());
    constexpr std::size_t kFewestPoints = 16;
    if (taken <= bytes || limits.series_points <= kFewestPoints) return drawn;
    const auto fewer = [&](std::size_t now, std::size_t least) {
      return std::max(least, static_cast<std::size_t>(static_cast<double>(now) * 0.65 * bytes / taken));
    };
    limits.series_points = fewer(limits.series_points, kFewestPoints);
    limits.cells = fewer(limits.cells, 64);
    limits.pairs = fewer(limits.pairs, 32);
    limits.charts = fewer(limits.charts, 3);
  }
}

/// Collects the page's parts.
class Writer {
 public:
  /// `rows`: of each table; none where no table is wanted.
  Writer(const ReportData& data, const ReportCharts& charts, const DrawnCharts& drawn, const PageTables& tables,
         std::optional<std::size_t> rows)
      : data_(data), charts_(charts), drawn_(drawn), tables_(tables), rows_(rows) {}

  std::string write() {
    std::string body;
    for (std::size_t i = 0; i < data_.devices.size(); ++i) {
      body +=
          device_summary(data_.devices[i], charts_, *tables_.efficiencies[i], std::min(rows_.value_or(0), kMostEfficiencyRows));
    }
    for (const std::string& experiment : charts_.experiments()) body += section(experiment);
    body += chart_section(kClocks, "Clocks and power",
                          "Core clock and power as read while points were measured, run after run. A kernel's counter is what "
                          "the cycles of this report are counted by; telemetry may lag.");
    body += chart_section(kApis, "OpenCL and Vulkan on one card",
                          "Every question that a card answered through both APIs with the same kernel. Differences of more than "
                          "5 % have another mark.");
    return frame(body);
  }

 private:
  std::string chart_section(const std::string& id, const std::string& title, const std::string& method) {
    const auto figures = drawn_.figures.find(id);
    if (figures == drawn_.figures.end()) return "";
    sections_.emplace_back(id, title);
    return fmt::format("<section aria-labelledby=\"{0}\"><h2 id=\"{0}\">{1}</h2>\n<p>{2}</p>\n{3}</section>\n", id, title, method,
                       figures->second);
  }

  std::string section(const std::string& experiment) {
    const std::string id = "e-" + experiment;
    sections_.emplace_back(id, std::string(title_of(experiment)));
    std::string text = fmt::format(
        "<section aria-labelledby=\"{0}\"><h2 id=\"{0}\">{1} <span class=\"faint\">{2}</span></h2>\n<p>{3}</p>\n", html_text(id),
        html_text(title_of(experiment)), html_text(experiment), html_text(presentation_of(experiment).method));
    if (const auto figures = drawn_.figures.find(experiment); figures != drawn_.figures.end()) text += figures->second;
    text += "<details open><summary>Tables</summary>\n";
    if (rows_) {
      for (const DeviceTable& table : tables_.of_experiments.at(experiment))
        text += table_part(table, lines_to_show(*table.table, *rows_));
    }
    return text + "</details></section>\n";
  }

  std::string frame(const std::string& body) const {
    std::string text = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
        "content=\"width=device-width, initial-scale=1\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; "
        "style-src 'unsafe-inline'; img-src data: blob:\">\n"
        "<meta name=\"generator\" content=\"percycle {}\">\n<link rel=\"icon\" href=\"data:,\">\n<title>percycle: {} "
        "devices</title>\n<style>\n{}</style>\n</head>\n<body>\n",
        tool_version(), data_.devices.size(), page_file("report.css"));
    text += fmt::format(
        "<a class=\"skip\" href=\"#main\">Skip to the report</a>\n<header><h1>percycle report</h1><button id=\"theme\" "
        "type=\"button\" hidden>Dark</button></header>\n"
        "<p class=\"faint\">{} points of {} devices from {} files. Charts: click the legend to leave one series alone (Shift: "
        "several), drag to move, Ctrl and the wheel to zoom, double click to go back; "
        "the menu at a chart's corner saves it as SVG or PNG. All points are in the CSV files beside this page and in <a "
        "href=\"report.json\">report.json</a>.</p>\n<nav aria-label=\"Contents\"><ul>\n",
        data_.points, data_.devices.size(), data_.files);
    text += "<li><a href=\"#devices\">Devices</a></li>";
    for (const auto& [id, title] : sections_)
      text += fmt::format("<li><a href=\"#{}\">{}</a></li>", html_text(id), html_text(title));
    text += "</ul></nav>\n<main id=\"main\">\n<h2 id=\"devices\">Devices</h2>\n" + body + "</main>\n";
    text += fmt::format("<script type=\"application/json\" id=\"themes\">{}</script>\n",
                        script_json({{"light", theme_config(Theme::light)}, {"dark", theme_config(Theme::dark)}}));
    text += fmt::format("<script type=\"application/json\" id=\"specs\">{}</script>\n", "{" + drawn_.specs + "}");
    for (const char* package : kScripts) {
      text += fmt::format("<!--\n{}:\n{}-->\n", package, page_file(fmt::format("{}.LICENSE", package)));
      text += script(page_file(fmt::format("{}.min.js", package)));
    }
    return text + script(page_file("report.js")) + "</body>\n</html>\n";
  }

  const ReportData& data_;
  const ReportCharts& charts_;
  const DrawnCharts& drawn_;
  const PageTables& tables_;
  std::optional<std::size_t> rows_;
  std::vector<std::pair<std::string, std::string>> sections_;  ///< ids and titles
};

/// Of those that draw.
std::size_t script_bytes() {
  std::size_t bytes = 0;
  for (const char* package : kScripts) bytes += page_file(fmt::format("{}.min.js", package)).size();
  return bytes;
}

}  // namespace

ReportPage report_page(const ReportData& data, const std::vector<DeviceTables>& all_tables) {
  const ReportCharts charts(data);
  // Charts thin out well and have most of what is drawn: they come first, up to their share. Tables have all that is left.
  DrawnCharts drawn = draw_within(charts, kChartsShare * static_cast<double>(kMostPageBytes - script_bytes()));
  const PageTables tables = page_tables(data, all_tables);
  const std::size_t without_tables = Writer(data, charts, drawn, tables, std::nullopt).write().size();
  const double room = static_cast<double>(kMostPageBytes) - static_cast<double>(without_tables);
  const std::vector<TableSize> sizes = sizes_of(tables, data);
  double share = 0.996;  // sizes are estimates
  for (;;) {
    const std::size_t rows = lines_that_fit(sizes, share * room, kMostRows);
    std::string html = Writer(data, charts, drawn, tables, rows).write();
    if (html.size() <= kMostPageBytes || rows <= kFewestLines) return {std::move(html), std::move(drawn.files)};
    share -= 0.02;
  }
}

}  // namespace percycle
