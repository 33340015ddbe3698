#include "report/run_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "report/hierarchy_text.hpp"
#include "report/reason_groups.hpp"
#include "report/summary_figures.hpp"

namespace percycle {
namespace {

constexpr std::size_t kColumns = 100;
constexpr std::size_t kLabel = 13;  // width of a line's label
// Up to this many devices get 15 lines each, more get eight.
constexpr std::size_t kWhole = 2;

/// The text after its label, broken at spaces; cut to `most` lines.
std::string labelled(const std::string& label, std::string text, std::size_t most) {
  std::string lines;
  const std::size_t width = kColumns - kLabel - 6;  // " ..." fits after it
  for (std::size_t line = 0; line < most && !text.empty(); ++line) {
    std::size_t end = text.size() <= width ? text.size() : text.rfind(' ', width);
    if (end == std::string::npos || end == 0) end = std::min(width, text.size());
    std::string part = text.substr(0, end);
    text.erase(0, text.find_first_not_of(' ', end));
    if (line + 1 == most && !text.empty()) part += " ...";
    lines += fmt::format("  {:<{}}{}\n", line == 0 ? label : "", kLabel, part);
  }
  return lines;
}

/// The main figures, grouped by line.
std::string figures_of(const ReportDevice& device, bool whole) {
  std::vector<std::pair<std::string, std::string>> lines;
  for (const SummaryValue& value : summary_figures(device)) {
    auto line = std::ranges::find(lines, value.line, &std::pair<std::string, std::string>::first);
    if (line == lines.end()) line = lines.insert(lines.end(), {value.line, ""});
    line->second += fmt::format("{}{} {}", line->second.empty() ? "" : "; ", value.name, value.words);
  }
  std::string text;
  const auto most = [](const std::string& label) -> std::size_t {
    return label == "bandwidth" ? 3 : label == "steady load" ? 2 : 1;
  };
  for (const auto& [label, words] : lines) text += labelled(label, words, whole ? most(label) : 1);
  return text;
}

std::string hierarchy_of(const ReportDevice& device, bool whole) {
  if (!device.analysis) return "";
  const std::string sentence = hierarchy_sentence(device.analysis->hierarchy);
  return sentence.empty() ? "" : labelled("hierarchy", sentence, whole ? 3 : 1);
}

std::string clock_of(const ReportDevice& device) {
  const std::string words = clock_words(device);
  return words.empty() ? "" : labelled("clock", words, 1);
}

/// "12 points: REASON (8); REASON (4)", the most frequent reasons first; empty if there is none.
std::string reasons_line(const std::string& label, const std::vector<PointReasons>& points, std::size_t most) {
  constexpr std::size_t kShown = 2;
  if (points.empty()) return "";
  const std::vector<ReasonGroup> groups = group_reasons(points);
  std::string text = fmt::format("{} point{}: ", points.size(), points.size() == 1 ? "" : "s");
  const std::size_t shown = std::min(kShown, groups.size());
  for (std::size_t i = 0; i < shown; ++i) text += fmt::format("{}{} ({})", i == 0 ? "" : "; ", groups[i].text, groups[i].points);
  if (shown < groups.size())
    text += fmt::format("; {} more reason{}", groups.size() - shown, groups.size() - shown == 1 ? "" : "s");
  return labelled(label, text, most);
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
    return reasons_line("warnings", warnings, 2) + reasons_line("unsupported", unsupported, 1) +
           reasons_line("skipped", skipped, 1) + reasons_line("problems", problems, 1);
  }
  if (!problems.empty()) return reasons_line("problems", problems, 1);
  return warnings.empty() ? ""
                          : labelled("warnings", fmt::format("{} point{}", warnings.size(), warnings.size() == 1 ? "" : "s"), 1);
}

/// The checks of the device that spoil figures, a line each.
std::string doubts_of(const ReportDevice& device, bool whole) {
  std::string text;
  for (const DeviceCheck& check : device.header().checks) {
    if (check.verdict == CheckVerdict::doubtful) text += labelled("doubtful", check.name + ": " + check.text, whole ? 2 : 1);
  }
  return text;
}

/// ", and 39.1 s of compiling".
std::string compiling_of(const ReportDevice& device) {
  return device.compile_seconds > 0 ? fmt::format(", and {:.1f} s of compiling", device.compile_seconds) : "";
}

}  // namespace

std::string run_summary(const ReportData& data) {
  const auto runs = std::ranges::count_if(data.devices, [](const auto& device) { return device.source != Source::published; });
  const bool whole = runs <= static_cast<std::ptrdiff_t>(kWhole);
  std::string text;
  for (const ReportDevice& device : data.devices) {
    if (device.source == Source::published) continue;
    text += fmt::format("{} (driver {}): {}, {:.1f} s{}\n", device.label, device.header().device.driver, to_string(device.tally),
                        device.seconds, compiling_of(device));
    text += doubts_of(device, whole) + hierarchy_of(device, whole) + figures_of(device, whole) + clock_of(device) +
            troubles_of(device, whole);
  }
  return text;
}

}  // namespace percycle
