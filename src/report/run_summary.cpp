#include "report/run_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

#include "core/api_words.hpp"
#include "report/hierarchy_text.hpp"
#include "report/key_figures_text.hpp"
#include "report/reason_groups.hpp"
#include "report/spoiling_checks.hpp"
#include "report/summary_figures.hpp"
#include "report/wrap.hpp"

namespace percycle {
namespace {

constexpr std::size_t kColumns = 80;
constexpr std::size_t kLabel = 13;  // width of a line's label
// More devices have fewer lines each.
constexpr std::size_t kWhole = 2;

/// The text after its label, broken at spaces.
std::string labelled(const std::string& label, std::string text) {
  std::string lines;
  const std::size_t width = kColumns - kLabel - 2;
  for (bool is_first = true; !text.empty(); is_first = false) {
    std::size_t end = text.size() <= width ? text.size() : text.rfind(' ', width);
    if (end == std::string::npos || end == 0) end = std::min(text.find(' '), text.size());
    lines += fmt::format("  {:<{}}{}\n", is_first ? label : "", kLabel, text.substr(0, end));
    text.erase(0, text.find_first_not_of(' ', end));
  }
  return lines;
}

/// A column per device. The devices of one card have the names of their APIs.
std::vector<KeyColumn> columns_of(const std::vector<const ReportDevice*>& devices) {
  std::set<Api> apis;
  for (const ReportDevice* device : devices) apis.insert(device->header().device.api);
  const bool is_one_card = apis.size() == devices.size() && std::ranges::all_of(devices, [&](const ReportDevice* device) {
                             return device->card == devices.front()->card;
                           });
  std::vector<KeyColumn> columns;
  for (const ReportDevice* device : devices)
    columns.push_back({is_one_card ? std::string(api_words(device->header().device.api)) : device->label, {device}});
  return columns;
}

/// The table, of as many devices at a time as fit.
std::string table_of(const KeyFigures& figures) {
  std::string text;
  const std::size_t most = cards_within(figures, kColumns);
  for (std::size_t first = 0; first < figures.columns.size(); first += most) {
    std::vector<std::size_t> shown(std::min(most, figures.columns.size() - first));
    std::iota(shown.begin(), shown.end(), first);
    const KeyFigures part = with_columns(figures, shown);
    if (part.rows.empty()) continue;
    text += '\n' + to_text(part, kColumns, part.rows.size());
    if (const std::string marks = marks_of(part); !marks.empty()) text += '\n' + marks + '\n';
  }
  return text.empty() ? text : text + '\n';
}

std::string hierarchy_of(const ReportDevice& device) {
  return device.analysis ? labelled("hierarchy", hierarchy_sentence(device.analysis->hierarchy)) : "";
}

/// "12 points: REASON (8); REASON (4)", the most frequent reasons first; empty if there is none.
std::string reasons_line(const std::string& label, const std::vector<PointReasons>& points) {
  constexpr std::size_t kShown = 2;
  if (points.empty()) return "";
  const std::vector<ReasonGroup> groups = group_reasons(points);
  std::string text = fmt::format("{} point{}: ", points.size(), points.size() == 1 ? "" : "s");
  const std::size_t shown = std::min(kShown, groups.size());
  for (std::size_t i = 0; i < shown; ++i) text += fmt::format("{}{} ({})", i == 0 ? "" : "; ", groups[i].text, groups[i].points);
  if (shown < groups.size())
    text += fmt::format("; {} more reason{}", groups.size() - shown, groups.size() - shown == 1 ? "" : "s");
  return labelled(label, text);
}

/// The notes of a point that are no explanations.
PointReasons warnings_of(const PointRow& row) {
  PointReasons warnings;
  for (const Note& note : row.notes) {
    if (note.is_warning) warnings.push_back(note.text);
  }
  return warnings;
}

/// Warnings of ok points, and the reasons of all others.
std::string troubles_of(const ReportDevice& device, bool whole) {
  std::vector<PointReasons> warnings;
  std::vector<PointReasons> unsupported;
  std::vector<PointReasons> skipped;
  std::vector<PointReasons> problems;
  const auto list_of = [&](Status status) -> std::vector<PointReasons>& {
    return status == Status::unsupported ? unsupported : status == Status::skipped ? skipped : problems;
  };
  for (const auto& [experiment, rows] : device.experiments) {
    for (const PointRow& row : rows) {
      PointReasons found = row.is_ok() ? warnings_of(row) : PointReasons();
      if (!found.empty()) warnings.push_back(std::move(found));
      if (row.reason) list_of(row.status).push_back({*row.reason});
    }
  }
  if (whole) {
    return reasons_line("warnings", warnings) + reasons_line("unsupported", unsupported) + reasons_line("skipped", skipped) +
           reasons_line("problems", problems);
  }
  if (!problems.empty()) return reasons_line("problems", problems);
  return warnings.empty() ? ""
                          : labelled("warnings", fmt::format("{} point{}", warnings.size(), warnings.size() == 1 ? "" : "s"));
}

/// The checks of the device that spoil figures, a line each.
std::string doubts_of(const ReportDevice& device) {
  std::string text;
  for (const auto& [name, why] : spoiling_checks(device.header())) text += labelled("doubtful", name + ": " + why);
  return text;
}

/// ", and 39.1 s of compiling".
std::string compiling_of(const ReportDevice& device) {
  return device.compile_seconds > 0 ? fmt::format(", and {:.1f} s of compiling", device.compile_seconds) : "";
}

}  // namespace

RunSummary run_summary(const ReportData& data) {
  RunSummary summary;
  for (const ReportDevice& device : data.devices) {
    if (device.source != Source::published) summary.devices.push_back(&device);
  }
  summary.figures = key_figures(columns_of(summary.devices));
  for (KeyRow& row : summary.figures.rows) {  // to find the best is what a comparison is for
    for (KeyCell& cell : row.cells) cell.is_best = false;
  }
  return summary;
}

std::string to_text(const RunSummary& summary) {
  std::string text;
  for (const ReportDevice* device : summary.devices) {
    text += wrap_lines(fmt::format("{} (driver {}): {}, {:.1f} s{}\n", device->label, device->header().device.driver,
                                   to_string(device->tally), device->seconds, compiling_of(*device)),
                       kColumns);
    text += doubts_of(*device);
  }
  text += table_of(summary.figures);
  const bool whole = summary.devices.size() <= kWhole;
  for (const ReportDevice* device : summary.devices) {
    const std::string words = clock_words(*device);
    const std::string lines = (whole ? hierarchy_of(*device) + (words.empty() ? "" : labelled("clock", words)) : std::string()) +
                              troubles_of(*device, whole);
    if (!lines.empty() && summary.devices.size() > 1) text += device->label + '\n';
    text += lines;
  }
  return text;
}

}  // namespace percycle
