#include "report/summary_figures.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/figures.hpp"
#include "presentation/presentation.hpp"

namespace percycle {
namespace {

/// "33.43 TB/s", "952.1 Gops/s".
std::string rate_words(double giga_per_s, const std::string& name) {
  std::string words = with_unit(giga_per_s >= 1000 ? giga_per_s / 1000 : giga_per_s, name);
  if (giga_per_s >= 1000) words[words.find(' ') + 1] = 'T';
  return words;
}

std::string value_words(const ReportDevice& device, const PointRow& row, const SummaryFigure& wanted) {
  const std::string& name = wanted.figure;
  const double value = figure(row, name).value();
  if (figure_unit(name).ends_with("/s")) {
    const std::string words = rate_words(value, name);
    if (name != main_figure(row)) return words;  // the details are of another rate
    const UnitWords unit{.unit = device.unit_name};
    std::vector<std::string> details;
    if (const auto bytes = figure(row, figures::kBytesPerUnitCycle); bytes && row.about->place != HierarchyPlace::memory)
      details.push_back(with_unit(*bytes, figures::kBytesPerUnitCycle, unit));
    if (const auto ops = figure(row, figures::kOpsPerUnitCycle); ops && wanted.line == kExecutionLine)
      details.push_back(with_unit(*ops, figures::kOpsPerUnitCycle, unit));
    if (const auto share = figure(row, figures::kEfficiency))
      details.push_back(fmt::format("{:.1f} {}", *share, figure_unit(figures::kEfficiency)));
    return words + (details.empty() ? "" : fmt::format(" ({})", fmt::join(details, ", ")));
  }
  const std::string unit = figure_unit(name);
  return fmt::format("{:.{}f} {}", value, value < 1000 ? 1 : 0, unit.substr(0, unit.find('/')));
}

bool counts(const PointRow& row, const SummaryFigure& wanted, std::string_view name) {
  const auto is_number = [&](const auto& named) {
    const Cell* cell = find_parameter(row, named.first);
    return cell && number_of(*cell) == static_cast<double>(named.second);
  };
  if (!wanted.without.empty() && find_parameter(row, wanted.without)) return false;
  return has_words(row, wanted.only) && std::ranges::all_of(wanted.only_numbers, is_number) && figure(row, name);
}

}  // namespace

const PointRow* summary_row(std::vector<const PointRow*> rows, const SummaryFigure& wanted, std::string_view name) {
  std::erase_if(rows, [&](const PointRow* row) { return !counts(*row, wanted, name); });
  if (rows.empty()) return nullptr;
  std::ranges::stable_sort(rows, {}, [&](const PointRow* row) { return figure(*row, name).value(); });
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

std::vector<SummarySection> summary_sections(const ReportDevice& device) {
  std::vector<SummarySection> sections;
  for (const auto& [experiment, points] : device.experiments) {
    const Presentation& about = presentation_of(experiment);
    if (!about.summary.empty()) sections.push_back({experiment, &about, latest_rows(points)});
  }
  std::ranges::stable_sort(sections, {}, [](const SummarySection& section) { return section.about->order; });
  return sections;
}

std::vector<SummaryValue> summary_figures(const ReportDevice& device) {
  std::vector<SummaryValue> values;
  for (const auto& [experiment, about, rows] : summary_sections(device)) {
    for (std::size_t i = 0; i < about->summary.size(); ++i) {
      const SummaryFigure& wanted = about->summary[i];
      const PointRow* row = summary_row(rows, wanted, wanted.figure);
      if (!row) continue;
      values.push_back(
          {wanted.line, wanted.name, value_words(device, *row, wanted), figure(*row, wanted.figure).value(), {about->order, i}});
    }
  }
  return values;
}

std::string clock_words(const ReportDevice& device) {
  std::vector<double> clocks;
  for (const ClockReading& reading : device.clocks) {
    if (reading.clock_mhz) clocks.push_back(*reading.clock_mhz);
  }
  if (clocks.empty()) return "";
  std::ranges::sort(clocks);
  // The clock that most points had. A kernel of a few ticks gives a clock far from it.
  const double median = clocks[clocks.size() / 2];
  std::string text = in_unit(median, 0, unit_text::kMhz);
  if (clocks.front() < 0.98 * median || clocks.back() > 1.02 * median)
    text += fmt::format(" (median of all points; {:.0f} to {})", clocks.front(), in_unit(clocks.back(), 0, unit_text::kMhz));
  if (device.highest_w) text += "; up to " + in_unit(*device.highest_w, 0, unit_text::kWatts);
  return text;
}

}  // namespace percycle
