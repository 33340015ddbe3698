#include "report/summary_figures.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/figures.hpp"
#include "presentation/presentation.hpp"

namespace percycle {

bool is_asked(const PointRow& row, const SummaryFigure& wanted) {
  const auto is_number = [&](const auto& named) {
    const Cell* cell = find_parameter(row, named.first);
    return cell && number_of(*cell) == static_cast<double>(named.second);
  };
  if (!wanted.without.empty() && find_parameter(row, wanted.without)) return false;
  return has_words(row, wanted.only) && std::ranges::all_of(wanted.only_numbers, is_number);
}

const PointRow* summary_row(std::vector<const PointRow*> rows, const SummaryFigure& wanted, std::string_view name) {
  std::erase_if(rows, [&](const PointRow* row) { return !is_asked(*row, wanted) || !figure(*row, name); });
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
