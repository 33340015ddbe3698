#include "report/run_summary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "presentation/presentation.hpp"
#include "report/hierarchy_text.hpp"

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

/// "99.7 %" and the like; four digits.
std::string rate_words(double gb_per_s) {
  return gb_per_s >= 1000 ? fmt::format("{:.4g} TB/s", gb_per_s / 1000) : fmt::format("{:.4g} GB/s", gb_per_s);
}

std::string value_words(const ReportDevice& device, const PointRow& row, const std::string& name) {
  const double value = figure(row, name).value();
  if (name == "gb_per_s") {
    std::vector<std::string> details;
    if (const auto bytes = figure(row, "bytes_per_unit_cycle"); bytes && row.about->place != HierarchyPlace::memory)
      details.push_back(fmt::format("{:.4g} B/{}/cycle", *bytes, device.unit_name));
    if (const auto share = figure(row, "efficiency_percent")) details.push_back(fmt::format("{:.1f} % of limit", *share));
    return rate_words(value) + (details.empty() ? "" : fmt::format(" ({})", fmt::join(details, ", ")));
  }
  if (name == "gops_per_s") return fmt::format("{:.4g} Gops/s", value);
  if (name.ends_with("cycles_per_op")) return fmt::format("{:.1f} cycles", value);
  return fmt::format("{:.1f} ns", value);
}

bool counts(const PointRow& row, const SummaryFigure& wanted) {
  const auto is_word = [&](const auto& named) { return has_word(row, named.first, named.second); };
  const auto is_number = [&](const auto& named) {
    const Cell* cell = find_parameter(row, named.first);
    return cell && number_of(*cell) == static_cast<double>(named.second);
  };
  return std::ranges::all_of(wanted.only, is_word) && std::ranges::all_of(wanted.only_numbers, is_number) &&
         figure(row, wanted.figure);
}

/// The row that shows a figure; nullptr if no row matches.
const PointRow* chosen_row(std::vector<const PointRow*> rows, const SummaryFigure& wanted) {
  std::erase_if(rows, [&](const PointRow* row) { return !counts(*row, wanted); });
  if (rows.empty()) return nullptr;
  std::ranges::stable_sort(rows, {}, [&](const PointRow* row) { return figure(*row, wanted.figure).value(); });
  switch (wanted.pick) {
    case SummaryFigure::Pick::highest:
      return rows.back();
    case SummaryFigure::Pick::lowest:
      return rows.front();
    case SummaryFigure::Pick::median:
      break;
  }
  return rows[rows.size() / 2];
}

/// The lines of the presentations, in the order of their sections.
std::string figures_of(const ReportDevice& device, bool whole) {
  std::vector<const Presentation*> all;
  std::map<const Presentation*, std::vector<const PointRow*>> rows;
  for (const auto& [experiment, points] : device.experiments) {
    const Presentation& about = presentation_of(experiment);
    all.push_back(&about);
    rows[&about] = latest_rows(points);
  }
  std::ranges::stable_sort(all, {}, &Presentation::order);
  std::vector<std::pair<std::string, std::string>> lines;
  for (const Presentation* about : all) {
    for (const SummaryFigure& wanted : about->summary) {
      const PointRow* row = chosen_row(rows[about], wanted);
      if (!row) continue;
      auto line = std::ranges::find(lines, wanted.line, &std::pair<std::string, std::string>::first);
      if (line == lines.end()) line = lines.insert(lines.end(), {wanted.line, ""});
      line->second +=
          fmt::format("{}{} {}", line->second.empty() ? "" : "; ", wanted.name, value_words(device, *row, wanted.figure));
    }
  }
  std::string text;
  for (const auto& [label, words] : lines) text += labelled(label, words, whole && label == "bandwidth" ? 3 : 1);
  return text;
}

std::string hierarchy_of(const ReportDevice& device, bool whole) {
  if (!device.analysis) return "";
  const std::string sentence = hierarchy_sentence(device.analysis->hierarchy);
  return sentence.empty() ? "" : labelled("hierarchy", sentence, whole ? 3 : 1);
}

std::string clock_of(const ReportDevice& device) {
  std::optional<double> highest;
  std::optional<double> lowest;
  std::optional<double> power;
  for (const ClockReading& reading : device.clocks) {
    power = std::max(power, reading.power_w);
    if (!reading.clock_mhz) continue;
    highest = std::max(highest, reading.clock_mhz);
    lowest = lowest ? std::min(lowest, reading.clock_mhz) : reading.clock_mhz;
  }
  if (!highest) return "";
  std::string text = fmt::format("{:.0f} MHz", *highest);
  if (*lowest < 0.98 * *highest) text += fmt::format(", down to {:.0f} MHz at some points", *lowest);
  if (power) text += fmt::format("; up to {:.0f} W", *power);
  return labelled("clock", text, 1);
}

using Reasons = std::map<std::string, std::size_t>;

std::size_t points_of(const Reasons& reasons) {
  std::size_t points = 0;
  for (const auto& [reason, count] : reasons) points += count;
  return points;
}

/// "12 points: REASON (8); REASON (4)", the most frequent reasons first; empty if there is none.
std::string reasons_line(const std::string& label, const Reasons& reasons, std::size_t most) {
  constexpr std::size_t kShown = 2;
  if (reasons.empty()) return "";
  std::vector<std::pair<std::string, std::size_t>> sorted(reasons.begin(), reasons.end());
  std::ranges::stable_sort(sorted, std::ranges::greater{}, &std::pair<std::string, std::size_t>::second);
  const std::size_t points = points_of(reasons);
  std::string text = fmt::format("{} point{}: ", points, points == 1 ? "" : "s");
  for (std::size_t i = 0; i < std::min(kShown, sorted.size()); ++i)
    text += fmt::format("{}{} ({})", i == 0 ? "" : "; ", sorted[i].first, sorted[i].second);
  if (sorted.size() > kShown) text += fmt::format("; {} more reasons", sorted.size() - kShown);
  return labelled(label, text, most);
}

/// Warnings of ok points, and the reasons of all others.
std::string troubles_of(const ReportDevice& device, bool whole) {
  Reasons warnings;
  Reasons unsupported;
  Reasons problems;
  for (const auto& [experiment, rows] : device.experiments) {
    for (const PointRow& row : rows) {
      if (row.is_ok() && !row.notes.empty()) ++warnings[row.notes.front()];
      if (row.reason) ++(row.status == Status::unsupported ? unsupported : problems)[*row.reason];
    }
  }
  if (whole) {
    return reasons_line("warnings", warnings, 2) + reasons_line("unsupported", unsupported, 1) +
           reasons_line("problems", problems, 1);
  }
  if (!problems.empty()) return reasons_line("problems", problems, 1);
  return warnings.empty() ? "" : labelled("warnings", fmt::format("{} points", points_of(warnings)), 1);
}

}  // namespace

std::string run_summary(const ReportData& data) {
  const auto runs = std::ranges::count_if(data.devices, [](const auto& device) { return device.source != Source::published; });
  const bool whole = runs <= static_cast<std::ptrdiff_t>(kWhole);
  std::string text;
  for (const ReportDevice& device : data.devices) {
    if (device.source == Source::published) continue;
    text += fmt::format("{} (driver {}): {}, {:.1f} s\n", device.label, device.header().device.driver, to_string(device.tally),
                        device.seconds);
    text += hierarchy_of(device, whole) + figures_of(device, whole) + clock_of(device) + troubles_of(device, whole);
  }
  return text;
}

}  // namespace percycle
