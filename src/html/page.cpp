#include "html/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "charts/theme.hpp"
#include "core/version.hpp"
#include "html/device_summary.hpp"
#include "html/escape.hpp"
#include "html/html_table.hpp"
#include "html/methods.hpp"
#include "html/page_file.hpp"

namespace percycle {
namespace {

constexpr std::size_t kMostRows = 6000;  // of all tables together, as a start
constexpr std::size_t kFewestRows = 4;
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
std::string clocks_of(const std::vector<const PointRow*>& rows) {
  std::map<std::string, std::size_t> counts;
  for (const PointRow* row : rows) {
    if (!row->is_ok()) continue;
    const Cell* clock = find_figure(*row, "clock");
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
  PointTable table;
  std::string clocks;
  std::size_t rows = 0;  ///< with those of a search's other configurations
};

/// By experiment.
using DeviceTables = std::map<std::string, std::vector<DeviceTable>>;

DeviceTables device_tables(const ReportData& data) {
  DeviceTables tables;
  for (const ReportDevice& device : data.devices) {
    for (const auto& [experiment, rows] : device.experiments) {
      std::vector<const PointRow*> all;
      for (const PointRow& row : rows) all.push_back(&row);
      const auto best = best_rows(all);
      tables[experiment].push_back({&device, point_table(experiment, best), clocks_of(best), rows.size()});
    }
  }
  return tables;
}

/// As much of it as the page shows.
std::string table_part(const DeviceTable& of, const DrawingLimits& limits) {
  const auto& [device_of, table, clocks, rows] = of;
  const ReportDevice& device = *device_of;
  const std::string& experiment = table.experiment;
  const auto lines = lines_to_show(table, limits.rows);
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

/// Collects the page's parts.
class Writer {
 public:
  Writer(const ReportData& data, const ReportCharts& charts, const DeviceTables& tables, const DrawingLimits& limits)
      : data_(data), charts_(charts), tables_(tables), limits_(limits) {}

  ReportPage write() {
    std::string body;
    for (const ReportDevice& device : data_.devices) body += device_summary(device, charts_, *data_.texts, limits_);
    for (const std::string& experiment : charts_.experiments()) body += section(experiment);
    body += chart_section("clocks", "Clocks and power",
                          "Core clock and power as read while points were measured, run after run. A kernel's counter is what "
                          "the cycles of this report are counted by; telemetry may lag.",
                          charts_.of_clocks(limits_));
    body += chart_section("apis", "OpenCL and Vulkan on one card",
                          "Every question that a card answered through both APIs with the same kernel. Differences of more than "
                          "5 % have another mark.",
                          charts_.of_apis(limits_));
    return {frame(body), std::move(all_)};
  }

 private:
  std::string figures(std::vector<Chart> charts) {
    std::string text;
    std::string others;
    for (std::size_t i = 0; i < charts.size(); ++i) {
      Chart& chart = charts[i];
      all_.push_back({chart.name, chart.spec.dump(1) + '\n', chart.marks, chart.points});
      if (i >= limits_.charts) {
        others +=
            fmt::format("{}<a href=\"charts/{}.vl.json\">{}</a>", others.empty() ? "" : ", ", chart.name, html_text(chart.title));
        continue;
      }
      text += figure_of(chart);
      for (const char* part : {"config", "title", "description"}) chart.spec.erase(part);  // the page's own
      specs_ += fmt::format("{}\"{}\":{}", specs_.empty() ? "" : ",", chart.name, script_json(chart.spec));
      chart = {};
    }
    if (!others.empty()) text += fmt::format("<p class=\"faint\">Not drawn here, but files beside this page: {}.</p>\n", others);
    return text;
  }

  std::string chart_section(const std::string& id, const std::string& title, const std::string& method,
                            std::vector<Chart> charts) {
    if (charts.empty()) return "";
    sections_.emplace_back(id, title);
    return fmt::format("<section aria-labelledby=\"{0}\"><h2 id=\"{0}\">{1}</h2>\n<p>{2}</p>\n{3}</section>\n", id, title, method,
                       figures(std::move(charts)));
  }

  std::string section(const std::string& experiment) {
    const std::string id = "e-" + experiment;
    sections_.emplace_back(id, std::string(title_of(experiment)));
    std::string text =
        fmt::format("<section aria-labelledby=\"{0}\"><h2 id=\"{0}\">{1} <span class=\"faint\">{2}</span></h2>\n<p>{3}</p>\n",
                    html_text(id), html_text(title_of(experiment)), html_text(experiment), html_text(method_of(experiment)));
    text += figures(charts_.of_experiment(experiment, limits_));
    text += "<details open><summary>Tables</summary>\n";
    for (const DeviceTable& table : tables_.at(experiment)) text += table_part(table, limits_);
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
    text += fmt::format("<script type=\"application/json\" id=\"specs\">{}</script>\n", "{" + specs_ + "}");
    for (const char* package : kScripts) {
      text += fmt::format("<!--\n{}:\n{}-->\n", package, page_file(fmt::format("{}.LICENSE", package)));
      text += script(page_file(fmt::format("{}.min.js", package)));
    }
    return text + script(page_file("report.js")) + "</body>\n</html>\n";
  }

  const ReportData& data_;
  const ReportCharts& charts_;
  const DeviceTables& tables_;
  DrawingLimits limits_;
  std::string specs_;                                          ///< the members of a JSON object
  std::vector<std::pair<std::string, std::string>> sections_;  ///< ids and titles
  std::vector<ChartFile> all_;
};

/// Of those that draw.
std::size_t script_bytes() {
  std::size_t bytes = 0;
  for (const char* package : kScripts) bytes += page_file(fmt::format("{}.min.js", package)).size();
  return bytes;
}

}  // namespace

ReportPage report_page(const ReportData& data) {
  const ReportCharts charts(data);
  const DeviceTables tables = device_tables(data);
  std::size_t count = 0;
  for (const ReportDevice& device : data.devices) count += device.experiments.size();
  DrawingLimits limits;
  limits.rows = std::clamp<std::size_t>(kMostRows / std::max<std::size_t>(count, 1), 8, limits.rows);
  for (;;) {
    ReportPage page = Writer(data, charts, tables, limits).write();
    if (page.html.size() <= kMostPageBytes || limits.rows <= kFewestRows) return page;
    // The scripts stay, and not all that is drawn shrinks with its limit.
    const double drawn = static_cast<double>(page.html.size()) - static_cast<double>(script_bytes());
    const double room = static_cast<double>(kMostPageBytes) - static_cast<double>(script_bytes());
    const auto fewer = [&](std::size_t now, std::size_t least) {
      return std::max(least, static_cast<std::size_t>(static_cast<double>(now) * 0.65 * room / drawn));
    };
    limits.rows = fewer(limits.rows, kFewestRows);
    limits.series_points = fewer(limits.series_points, 16);
    limits.cells = fewer(limits.cells, 64);
    limits.pairs = fewer(limits.pairs, 32);
    limits.charts = fewer(limits.charts, 3);
  }
}

}  // namespace percycle
