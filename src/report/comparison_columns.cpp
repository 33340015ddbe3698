#include "report/comparison_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "platform/all_cores.hpp"
#include "presentation/configuration.hpp"
#include "report/bandwidth_limit.hpp"
#include "report/card_columns.hpp"

namespace percycle {
namespace {

/// Whether a key figure may come from the point.
bool may_be_key(const Point& point, bool is_published) {
  const Presentation& about = presentation_of(point.experiment);
  const auto counts = [&](const SummaryFigure& figure) {
    return !figure.key.empty() && has_words(point.parameters, figure.only);
  };
  return is_published || std::ranges::any_of(about.summary, counts);
}

ReportDevice side_device(const Side& side, const LimitsCatalogue& catalogue) {
  ReportDevice device;
  device.source = side.header->source();
  device.unit_name = side.header->shown_unit();
  const DeviceLimits limits = limits_of_device(catalogue, *side.header);
  for (const Run& run : side.runs) {
    device.runs.push_back({*run.header, run.header->id, {}});
    for (const PointHistory& point : run.points) {
      if (!point.result || !may_be_key(*point.point, run.header->published())) continue;
      PointRow row = point_row(*point.result, *run.header, limits);
      row.run = run.header->id;
      device.experiments[point.point->experiment].push_back(std::move(row));
    }
  }
  device.analysis.emplace().hierarchy = side.hierarchy;
  return device;
}

std::size_t count_figures(const KeyFigures& figures, std::size_t column) {
  return static_cast<std::size_t>(
      std::ranges::count_if(figures.rows, [&](const KeyRow& row) { return row.cells[column].value.has_value(); }));
}

}  // namespace

ComparedCards compared_cards(const RunComparison& comparison, const LimitsCatalogue& catalogue) {
  ComparedCards cards;
  std::vector<const ReportDevice*> devices;
  cards.devices.resize(comparison.sides.size());
  on_all_cores(cards.devices.size(), [&](std::size_t i) { cards.devices[i] = side_device(comparison.sides[i], catalogue); });
  for (const ReportDevice& device : cards.devices) devices.push_back(&device);
  CardColumns found = card_columns(devices);
  cards.columns = std::move(found.columns);
  cards.sides.resize(cards.columns.size());
  for (std::size_t i = 0; i < comparison.sides.size(); ++i) {
    std::string& letters = cards.sides[found.of_device[i]];
    letters += (letters.empty() ? "" : ", ") + comparison.sides[i].name;
  }
  std::map<std::string, std::size_t> titles;
  for (const KeyColumn& column : cards.columns) ++titles[column.title];
  for (std::size_t i = 0; i < cards.columns.size(); ++i) {
    std::string& title = cards.columns[i].title;
    if (titles[title] > 1) title += fmt::format(" ({})", cards.sides[i]);
  }
  return cards;
}

std::vector<std::size_t> shown_columns(const KeyFigures& figures, const ComparedCards& cards, std::size_t most) {
  std::vector<std::size_t> counts;
  std::map<std::string, std::size_t> fullest;
  for (std::size_t i = 0; i < figures.columns.size(); ++i) {
    counts.push_back(count_figures(figures, i));
    std::size_t& best = fullest[cards.columns[i].devices.front()->header().device.name];
    best = std::max(best, counts.back());
  }
  std::vector<std::size_t> shown(figures.columns.size());
  std::iota(shown.begin(), shown.end(), std::size_t{0});
  std::erase_if(shown,
                [&](std::size_t i) { return 2 * counts[i] < fullest[cards.columns[i].devices.front()->header().device.name]; });
  // The user's own cards come before those of documents.
  const auto rank = [&](std::size_t i) {
    return std::pair(cards.columns[i].devices.front()->source == Source::published, -static_cast<std::ptrdiff_t>(counts[i]));
  };
  std::ranges::stable_sort(shown, {}, rank);
  if (shown.size() > most) shown.resize(most);
  std::ranges::sort(shown);
  return shown;
}

}  // namespace percycle
