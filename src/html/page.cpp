#include "html/page.hpp"

#include <fmt/format.h>

#include <algorithm>
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

/// The table of one experiment and device.
std::string device_table(const ReportDevice& device, const std::string& experiment, const std::vector<PointRow>& rows,
                         const DrawingLimits& limits) {
  std::vector<const PointRow*> all;
  for (const PointRow& row : rows) all.push_back(&row);
  const auto best = best_rows(all);
  const PointTable table = point_table(experiment, best);
  const auto lines = lines_to_show(table, limits.rows);
  std::string text = fmt::format("<h3>{} <span class=\"kind\">{}</span></h3>\n<p class=\"faint\">{}.", html_text(device.label),
                                 to_string(device.source), html_text(table.title()));
  if (device.source != Source::published) {
    if (const std::string clocks = clocks_of(best); !clocks.empty()) text += fmt::format(" Clock: {}.", html_text(clocks));
  }
  text += "</p>\n" + html_table(table, lines, fmt::format("{} of {}", title_of(experiment), device.label));
  const std::string file = fmt::format("tables/{}-{}", device.slug, experiment);
  text += fmt::format("<p class=\"faint\">{} of {} rows", lines.size(), rows.size());
  if (lines.size() < best.size()) text += " (the best, both sides of edges, and every n-th of the rest)";
  if (best.size() < rows.size()) text += fmt::format("; {} are of a search's other configurations", rows.size() - best.size());
  return text + fmt::format("; all: <a href=\"{0}.csv\">{0}.csv</a>, as text: <a href=\"{0}.md\">{0}.md</a></p>\n", file);
}

/// Collects the page's parts.
class Writer {
 public:
  Writer(const ReportData& data, const ReportCharts& charts, const DrawingLimits& limits)
      : data_(data), charts_(charts), limits_(limits) {}

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
    for (const ReportDevice& device : data_.devices) {
      const auto rows = device.experiments.find(experiment);
      if (rows != device.experiments.end()) text += device_table(device, experiment, rows->second, limits_);
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
    text += fmt::format("<script type=\"application/json\" id=\"specs\">{}</script>\n", "{" + specs_ + "}");
    for (const char* package : {"vega", "vega-lite", "vega-embed"}) {
      text += fmt::format("<!--\n{}:\n{}-->\n", package, page_file(fmt::format("{}.LICENSE", package)));
      text += script(page_file(fmt::format("{}.min.js", package)));
    }
    return text + script(page_file("report.js")) + "</body>\n</html>\n";
  }

  const ReportData& data_;
  const ReportCharts& charts_;
  DrawingLimits limits_;
  std::string specs_;                                          ///< the members of a JSON object
  std::vector<std::pair<std::string, std::string>> sections_;  ///< ids and titles
  std::vector<ChartFile> all_;
};

}  // namespace

ReportPage report_page(const ReportData& data) {
  const ReportCharts charts(data);
  std::size_t tables = 0;
  for (const ReportDevice& device : data.devices) tables += device.experiments.size();
  DrawingLimits limits;
  limits.rows = std::clamp<std::size_t>(kMostRows / std::max<std::size_t>(tables, 1), 8, limits.rows);
  for (;;) {
    ReportPage page = Writer(data, charts, limits).write();
    if (page.html.size() <= kMostPageBytes || limits.rows <= 4) return page;
    limits.rows = std::max<std::size_t>(limits.rows / 2, 4);
    limits.series_points = std::max<std::size_t>(limits.series_points / 2, 16);
    limits.cells = std::max<std::size_t>(limits.cells / 2, 64);
    limits.pairs = std::max<std::size_t>(limits.pairs / 2, 32);
    limits.charts = std::max<std::size_t>(limits.charts / 2, 3);
  }
}

}  // namespace percycle
