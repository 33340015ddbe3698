#include "charts/curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "charts/card_bands.hpp"
#include "charts/theme.hpp"
#include "core/units.hpp"
#include "report/comparison_edges.hpp"
#include "report/efficiency.hpp"

namespace percycle {
namespace {

constexpr const char* kBandWords = "A band reaches from the lowest to the highest card of its kind; the line is the median.";

/// The value of the parameter or of the figure over which the chart draws.
std::optional<double> place_of(const PointRow& row, const CurveChart& plan) {
  const Cell* cell = find_parameter(row, plan.x);
  return cell ? number_of(*cell) : figure(row, plan.x);
}

bool fits(const ReportDevice& device, const PointRow& row, const CurveChart& plan) {
  for (const auto& [name, word] : plan.only) {
    const Cell* cell = find_parameter(row, name);
    // Documents do not give all parameters.
    if (cell ? exact_text_of(*cell) != word : device.source != Source::published || plan.only_named) return false;
  }
  if (std::ranges::any_of(plan.without, [&](const std::string& name) { return find_parameter(row, name) != nullptr; }))
    return false;
  const auto place = place_of(row, plan);
  return place && (plan.x_scale == AxisScale::linear || *place > 0);
}

double x_of(const PointRow& row, const CurveChart& plan) { return place_of(row, plan).value(); }

/// The rows by x, each x once.
std::vector<const PointRow*> usual_rows(const std::vector<const PointRow*>& rows, const CurveChart& plan) {
  std::map<std::string, std::size_t> counts;
  for (const PointRow* row : rows) ++counts[parameter_words(*row, plan.usual)];
  std::map<double, const PointRow*> by_x;
  for (const PointRow* row : rows) {
    const PointRow*& kept = by_x[x_of(*row, plan)];
    if (!kept || counts[parameter_words(*row, plan.usual)] > counts[parameter_words(*kept, plan.usual)]) kept = row;
  }
  std::vector<const PointRow*> kept;
  for (const auto& [x, row] : by_x) kept.push_back(row);
  return kept;
}

/// The rows by the nearest of the sizes at their lowest x: "footprint 4 MiB".
std::map<std::string, std::vector<const PointRow*>> rows_by_rounded_size(const std::vector<const PointRow*>& rows,
                                                                         const CurveChart& plan) {
  const auto log_size = [&](const PointRow* row) {
    const Cell* cell = find_parameter(*row, plan.rounded);
    return std::log(std::max(cell ? number_of(*cell).value_or(1) : 1, 1.0));
  };
  double least = std::numeric_limits<double>::infinity();
  for (const PointRow* row : rows) least = std::min(least, x_of(*row, plan));
  std::vector<const PointRow*> firsts;
  std::ranges::copy_if(rows, std::back_inserter(firsts), [&](const PointRow* row) { return x_of(*row, plan) == least; });
  std::map<std::string, std::vector<const PointRow*>> by_size;
  for (const PointRow* row : rows) {
    const auto distance = [&](const PointRow* first) { return std::abs(log_size(first) - log_size(row)); };
    by_size[parameter_words(**std::ranges::min_element(firsts, {}, distance), plan.rounded)].push_back(row);
  }
  return by_size;
}

std::vector<Line> lines_of(const std::vector<DeviceRows>& devices, const CurveChart& plan, std::string_view y) {
  std::set<std::string> without{plan.x};
  for (const auto& [name, word] : plan.only) without.insert(name);
  without.insert(plan.follows.begin(), plan.follows.end());
  const std::vector<std::string> names = varying_parameters(together(devices), without);
  std::vector<Line> lines;
  for (const auto& [device, rows] : devices) {
    std::map<std::string, std::vector<const PointRow*>> rows_of_line;
    for (const PointRow* row : rows) {
      const auto value = figure(*row, y);
      if (!value || !std::isfinite(*value) || (plan.y_scale != AxisScale::linear && *value <= 0)) continue;
      rows_of_line[chart_words(*row, names)].push_back(row);
    }
    if (!plan.rounded.empty()) {
      for (auto& [words, of_line] : std::exchange(rows_of_line, {})) {
        for (auto& [size, of_size] : rows_by_rounded_size(of_line, plan))
          rows_of_line[words + (words.empty() || size.empty() ? "" : ", ") + size] = std::move(of_size);
      }
    }
    for (const auto& [words, of_line] : rows_of_line) {
      Series line{.name = words.empty() ? device->label : fmt::format("{}: {}", device->label, words),
                  .source = device->source,
                  .points = {}};
      for (const PointRow* row : plan.usual.empty() ? of_line : usual_rows(of_line, plan))
        line.points.push_back({x_of(*row, plan), figure(*row, y).value()});
      std::stable_sort(line.points.begin(), line.points.end(),
                       [](const SeriesPoint& a, const SeriesPoint& b) { return a.x < b.x; });
      lines.push_back({std::move(line), device, words});
    }
  }
  return with_bands(std::move(lines));
}

/// The ends of the levels that the analysis found on a path.
std::vector<Edge> edges_of(std::span<const Line> lines, const std::string& path) {
  std::vector<Edge> edges;
  std::set<const ReportDevice*> done;
  for (const Line& line : lines) {
    if (!line.device->analysis || !done.insert(line.device).second) continue;
    for (const HierarchyLevel& level : line.device->analysis->hierarchy.levels) {
      if (level.path != path) continue;
      edges.push_back({static_cast<double>(level.size_bytes), line.series.name,
                       fmt::format("{} {}{}", level.name, is_vague(level) ? "about " : "", format_bytes(level.size_bytes))});
    }
  }
  return edges;
}

/// One question's curves: one chart, or several of kMostSeries lines with one scale.
void add_curve_parts(std::vector<Chart>& charts, const std::string& experiment, const std::vector<DeviceRows>& devices,
                     CurveChart plan, const ChartName& group, const std::optional<std::string>& edge_path) {
  const std::string_view y = figure_of(devices, plan.y);
  if (y.empty()) return;
  plan.y_title = figure_words(experiment, devices, y);
  const std::vector<Line> lines = lines_of(devices, plan, y);
  std::vector<Series> series;
  for (const Line& line : lines) series.push_back(line.series);
  for (const ChartPart& part : parts_of(lines.size(), kMostSeries)) {
    const auto part_lines = std::span(lines).subspan(part.first, part.count);
    charts.push_back(curve_chart(plan, group + part.end, std::span(series).subspan(part.first, part.count),
                                 edge_path ? edges_of(part_lines, *edge_path) : std::vector<Edge>(), series));
    for (const Line& line : part_lines) {
      if (!line.cards.empty()) charts.back().bands[line.series.name] = line.cards;
    }
    if (!charts.back().bands.empty()) charts.back().remarks.emplace_back(kBandWords);
    if (std::string without = without_words(devices, y, plan.y_title); !without.empty())
      charts.back().remarks.push_back(std::move(without));
  }
}

}  // namespace

void add_curves(std::vector<Chart>& charts, const std::string& experiment, const std::vector<DeviceRows>& devices,
                const CurveChart& plan, const ChartName& group) {
  const std::vector<DeviceRows> fitting =
      rows_that(devices, [&](const ReportDevice& device, const PointRow& row) { return fits(device, row, plan); });
  if (plan.per_device) {
    for (const DeviceRows& device : fitting)
      add_curve_parts(charts, experiment, {device}, plan, group + of_device(*device.first), {});
    return;
  }
  const auto groups = split_by(fitting, plan.split);
  for (const bool is_first : {true, false}) {
    for (const auto& [key, rows] : groups) {
      if ((!key.empty() && key.front() == plan.first) != is_first) continue;
      const bool is_staircase = plan.level_edges && !key.empty();
      add_curve_parts(charts, experiment, rows, plan, with_values(group, key, split_words(rows, plan.split)),
                      is_staircase ? std::optional(key.front()) : std::nullopt);
    }
  }
}

}  // namespace percycle
