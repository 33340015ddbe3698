#include "charts/report_charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <iterator>
#include <limits>
#include <numeric>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "analysis/unit_groups.hpp"
#include "charts/api_pairs.hpp"
#include "charts/bars.hpp"
#include "charts/card_bands.hpp"
#include "charts/curve.hpp"
#include "charts/grid.hpp"
#include "charts/line_map.hpp"
#include "charts/pair_heatmap.hpp"
#include "charts/theme.hpp"
#include "core/units.hpp"
#include "presentation/configuration.hpp"
#include "presentation/presentation.hpp"
#include "report/ceilings.hpp"
#include "report/comparison_edges.hpp"
#include "report/efficiency.hpp"
#include "report/point_table.hpp"

namespace percycle {
namespace {

using DeviceRows = ReportCharts::DeviceRows;
using Words = std::vector<std::string>;

/// Distinguishes the charts of some devices from the charts of others.
struct ChartGroup {
  std::string name;
  std::string title;
};

/// The name of a figure on an axis.
std::string figure_words(std::string_view experiment, std::string_view figure) {
  if (figure == "bytes_per_unit_cycle") return "bytes per unit and cycle";
  if (figure == "gb_per_s") return "GB/s";
  if (figure == "ops_per_unit_cycle") return presentation_of(experiment).operation + "s per unit and cycle";
  if (figure == "gops_per_s") return "1e9 operations per second";
  return figure_title(std::string(figure), presentation_of(experiment).operation);
}

/// The rows of all devices.
std::vector<const PointRow*> together(const std::vector<DeviceRows>& devices) {
  std::vector<const PointRow*> joined;
  for (const auto& [device, rows] : devices) joined.insert(joined.end(), rows.begin(), rows.end());
  return joined;
}

constexpr const char* kBandWords = "A band reaches from the lowest to the highest card of its kind; the line is the median.";

constexpr std::size_t kRoofPoints = 64;  // of a line of a roofline chart

constexpr std::size_t kLongestWords = 40;  // of a value in a file name

std::string slug_words(std::string text) {
  text.resize(std::min(text.size(), kLongestWords));
  for (char& c : text) {
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '-';
  }
  return text;
}

/// Different values can have the same slug: their files get numbers.
void make_names_unique(std::vector<Chart>& charts) {
  std::set<std::string> names;
  std::map<std::string, std::size_t> last;
  for (Chart& chart : charts) {
    const std::string name = chart.name;
    while (!names.insert(chart.name).second) chart.name = fmt::format("{}-{}", name, ++last.try_emplace(name, 1).first->second);
  }
}

/// The name or title of one of several similar charts.
std::string part_of(const std::string& text, const char* form, std::size_t part, std::size_t parts) {
  return parts == 1 ? text : fmt::format(fmt::runtime(form), text, part + 1, parts);
}

/// Groups the rows by the values of some parameters, in their order.
std::map<std::vector<std::string>, std::vector<DeviceRows>> split_by(const std::vector<DeviceRows>& devices, const Words& names) {
  std::map<std::vector<std::string>, std::vector<DeviceRows>> groups;
  for (const auto& [device, rows] : devices) {
    for (const PointRow* row : rows) {
      std::vector<std::string> key;
      for (const std::string& name : names) key.push_back(parameter_words(*row, name));
      auto& group = groups[key];
      if (group.empty() || group.back().first != device) group.emplace_back(device, std::vector<const PointRow*>());
      group.back().second.push_back(row);
    }
  }
  return groups;
}

/// The group with the values it was split by.
ChartGroup with_values(ChartGroup group, const std::vector<std::string>& values) {
  for (const std::string& value : values) {
    if (value.empty()) continue;
    group.name += '-' + slug_words(value);
    group.title += ", " + value;
  }
  return group;
}

bool fits(const ReportDevice& device, const PointRow& row, const CurveChart& plan) {
  for (const auto& [name, word] : plan.only) {
    const Cell* cell = find_parameter(row, name);
    // Documents do not give all parameters.
    if (cell ? exact_text_of(*cell) != word : device.source != Source::published || plan.only_named) return false;
  }
  const Cell* x = find_parameter(row, plan.x);
  const auto place = x ? number_of(*x) : std::nullopt;
  return place && (plan.x_along == Along::linear || *place > 0);
}

std::vector<DeviceRows> rows_of(const std::vector<DeviceRows>& devices, const CurveChart& plan) {
  std::vector<DeviceRows> fitting;
  for (const auto& [device, rows] : devices) {
    std::vector<const PointRow*> fitting_rows;
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(fitting_rows),
                 [&, &owner = *device](const PointRow* row) { return fits(owner, *row, plan); });
    if (!fitting_rows.empty()) fitting.emplace_back(device, std::move(fitting_rows));
  }
  return fitting;
}

/// The first figure that any row has.
std::string_view figure_of(const std::vector<DeviceRows>& devices, const Words& figures) {
  for (const std::string& name : figures) {
    for (const auto& [device, rows] : devices) {
      if (std::any_of(rows.begin(), rows.end(), [&](const PointRow* row) { return figure(*row, name).has_value(); })) return name;
    }
  }
  return {};
}

double x_of(const PointRow& row, const CurveChart& plan) { return number_of(*find_parameter(row, plan.x)).value(); }

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
  const Words names = varying_parameters(together(devices), without);
  std::vector<Line> lines;
  for (const auto& [device, rows] : devices) {
    std::map<std::string, std::vector<const PointRow*>> rows_of_line;
    for (const PointRow* row : rows) {
      const auto value = figure(*row, y);
      if (!value || !std::isfinite(*value) || (plan.y_along != Along::linear && *value <= 0)) continue;
      rows_of_line[parameter_words(*row, names)].push_back(row);
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
std::vector<Edge> edges_of(const std::vector<Line>& lines, const std::string& path) {
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

/// The lowest and highest x of all lines.
std::pair<double, double> x_span_of(const std::vector<Line>& lines) {
  std::pair<double, double> span{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const Line& line : lines) {
    for (const SeriesPoint& point : line.series.points) span = {std::min(span.first, point.x), std::max(span.second, point.x)};
  }
  return span;
}

/// The lowest and highest y of all lines.
std::pair<double, double> y_span_of(const std::vector<Line>& lines) {
  std::pair<double, double> span{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const Line& line : lines) {
    for (const SeriesPoint& point : line.series.points) {
      const auto spread = point.spread.value_or(SeriesPoint::Spread{point.y, point.y});
      span = {std::min(span.first, spread.low), std::max(span.second, spread.high)};
    }
  }
  return span;
}

/// One question's curves: one chart, or several of kMostSeries lines with one scale.
void add_curve_parts(std::vector<Chart>& charts, const std::string& experiment, const std::vector<DeviceRows>& devices,
                     const CurveChart& plan, const ChartGroup& group, const std::optional<std::string>& edge_path,
                     const DrawingLimits& limits) {
  const std::string_view y = figure_of(devices, plan.y);
  if (y.empty()) return;
  const std::vector<Line> lines = lines_of(devices, plan, y);
  const std::string name = plan.name + group.name;
  const std::string title = plan.title + group.title;
  const std::size_t parts = (lines.size() + kMostSeries - 1) / kMostSeries;
  for (std::size_t part = 0; part < parts; ++part) {
    const auto first = lines.begin() + static_cast<std::ptrdiff_t>(part * kMostSeries);
    const std::vector<Line> part_lines(
        first, first + static_cast<std::ptrdiff_t>(std::min(kMostSeries, lines.size() - part * kMostSeries)));
    std::vector<Series> series;
    for (const Line& line : part_lines) series.push_back(line.series);
    CurveStyle style{.name = part_of(name, "{}-{}", part, parts),
                     .title = part_of(title, "{} ({} of {})", part, parts),
                     .x_title = plan.x_title,
                     .y_title = figure_words(experiment, y),
                     .x = plan.x_along,
                     .y = plan.y_along,
                     .lines = true,
                     .from_zero = plan.y_along == Along::linear};
    if (parts > 1) {
      style.x_span = x_span_of(lines);
      style.y_span = y_span_of(lines);
    }
    charts.push_back(
        curve_chart(style, series, edge_path ? edges_of(part_lines, *edge_path) : std::vector<Edge>(), limits.series_points));
    for (const Line& line : part_lines) {
      if (!line.cards.empty()) charts.back().bands[line.series.name] = line.cards;
    }
    if (!charts.back().bands.empty()) charts.back().remarks.emplace_back(kBandWords);
  }
}

void add_curves(std::vector<Chart>& charts, const std::string& experiment, const std::vector<DeviceRows>& devices,
                const CurveChart& plan, const ChartGroup& group, const DrawingLimits& limits) {
  const std::vector<DeviceRows> fitting = rows_of(devices, plan);
  if (plan.per_device) {
    for (const DeviceRows& device : fitting) {
      const ChartGroup own{fmt::format("{}-{}", group.name, device.first->slug),
                           fmt::format("{}: {}", group.title, device.first->label)};
      add_curve_parts(charts, experiment, {device}, plan, own, {}, limits);
    }
    return;
  }
  const auto groups = split_by(fitting, plan.split);
  for (const bool is_first : {true, false}) {
    for (const auto& [key, rows] : groups) {
      if ((!key.empty() && key.front() == plan.first) != is_first) continue;
      const bool is_staircase = plan.level_edges && !key.empty();
      add_curve_parts(charts, experiment, rows, plan, with_values(group, key),
                      is_staircase ? std::optional(key.front()) : std::nullopt, limits);
    }
  }
}

/// The rows with none of these parameters.
std::vector<DeviceRows> rows_without(const std::vector<DeviceRows>& devices, const Words& parameters) {
  std::vector<DeviceRows> others;
  for (const auto& [device, rows] : devices) {
    std::vector<const PointRow*> kept;
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(kept), [&](const PointRow* row) {
      return std::ranges::none_of(parameters, [&](const std::string& name) { return find_parameter(*row, name) != nullptr; });
    });
    if (!kept.empty()) others.emplace_back(device, std::move(kept));
  }
  return others;
}

/// The figure that a row is drawn by. Documents give net times without a control.
std::string_view drawn_figure(const ReportDevice& device, std::string_view figure_name) {
  const bool is_net = device.source == Source::published && figure_name.starts_with("net_");
  return is_net ? figure_name.substr(4) : figure_name;
}

constexpr std::size_t kMostQuestions = 40;  // per bar chart

/// The name of a row's bars: its device and, if values are paired in the chart, its value.
std::string series_of(const ReportDevice& device, const PointRow& row, const std::string& pair) {
  const bool has_value = !pair.empty() && find_parameter(row, pair) != nullptr;
  return has_value ? fmt::format("{}, {}", device.label, parameter_words(row, pair)) : device.label;
}

void add_bars(std::vector<Chart>& charts, const std::string& experiment, const std::vector<DeviceRows>& devices,
              const BarChart& plan, const ChartGroup& group) {
  const std::string_view y = figure_of(devices, plan.y);
  if (y.empty()) return;
  const std::string_view limit = y == "bytes_per_unit_cycle" ? "limit_bytes_per_unit_cycle"
                                 : y == "gb_per_s"           ? "limit_gb_per_s"
                                 : y == "ops_per_unit_cycle" ? "limit_ops_per_unit_cycle"
                                                             : "";
  std::vector<DeviceRows> best;
  for (const auto& [device, rows] : devices) {
    if (auto kept = best_of_footprints(rows, drawn_figure(*device, y)); !kept.empty()) best.emplace_back(device, std::move(kept));
  }
  const std::string name = experiment + "-bars" + (plan.name.empty() ? "" : "-" + plan.name) + group.name;
  const std::string title = fmt::format("{}: {}{}", presentation_of(experiment).title, figure_words(experiment, y), group.title);
  const bool paired = !plan.pair.empty();
  const std::size_t most = paired ? kMostSeries / 2 : kMostSeries;
  const std::size_t parts = (best.size() + most - 1) / most;
  std::optional<double> highest;
  for (const auto& [device, rows] : best) {
    for (const PointRow* row : rows) highest = std::max({highest, figure(*row, drawn_figure(*device, y)), figure(*row, limit)});
  }
  for (std::size_t part = 0; part < parts; ++part) {
    const auto first = best.begin() + static_cast<std::ptrdiff_t>(part * most);
    const std::vector<DeviceRows> part_devices(first,
                                               first + static_cast<std::ptrdiff_t>(std::min(most, best.size() - part * most)));
    Words names = varying_parameters(together(part_devices), {"footprint"});
    std::erase(names, plan.pair);
    std::vector<Bar> bars;
    std::set<std::string> questions;
    std::set<std::string> left_out;
    for (const auto& [device, rows] : part_devices) {
      for (const PointRow* row : rows) {
        const std::string words = parameter_words(*row, names);
        const std::string question = words.empty() ? experiment : words;
        if (questions.size() == kMostQuestions && !questions.contains(question)) {
          left_out.insert(question);
          continue;
        }
        questions.insert(question);
        const auto efficiency = figure(*row, "efficiency_percent");
        bars.push_back({.question = question,
                        .series = series_of(*device, *row, plan.pair),
                        .source = device->source,
                        .value = figure(*row, drawn_figure(*device, y)).value(),
                        .limit = figure(*row, limit),
                        .label = efficiency ? fmt::format("{:.1f} %", *efficiency) : std::string()});
      }
    }
    const std::string more = left_out.empty() ? "" : fmt::format(" ({} more in the table)", left_out.size());
    charts.push_back(bar_chart({.name = part_of(name, "{}-{}", part, parts),
                                .title = part_of(title, "{} ({} of {})", part, parts) + more,
                                .value_title = figure_words(experiment, y),
                                .highest = parts > 1 ? highest : std::nullopt},
                               bars));
  }
}

/// The mean time within each group of units, and between each two.
std::vector<std::string> group_remarks(const std::vector<UnitGroup>& groups, const std::vector<UnitPairTime>& pairs) {
  if (groups.size() < 2) return {"No groups of units stand out: units are in the order of their numbers."};
  std::map<std::uint32_t, std::size_t> group_of;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    for (const std::uint32_t unit : groups[i].units) group_of[unit] = i;
  }
  std::map<std::pair<std::size_t, std::size_t>, std::pair<double, std::size_t>> sums;
  for (const UnitPairTime& pair : pairs) {
    const auto [low, high] = std::minmax(group_of.at(pair.first), group_of.at(pair.second));
    auto& [ns, count] = sums[{low, high}];
    ns += pair.ns;
    ++count;
  }
  std::vector<std::string> remarks;
  for (const auto& [between, sum] : sums) {
    const auto& [a, b] = between;
    const double mean = sum.first / static_cast<double>(sum.second);
    const std::string units = fmt::format("group {} ({} units)", a + 1, groups[a].units.size());
    remarks.push_back(a == b ? fmt::format("Within {}: {:.1f} ns on average.", units, mean)
                             : fmt::format("From {} to group {} ({} units): {:.1f} ns on average.", units, b + 1,
                                           groups[b].units.size(), mean));
  }
  return remarks;
}

void add_pair_charts(std::vector<Chart>& charts, const std::string& experiment, const std::vector<DeviceRows>& devices,
                     const PairChart& plan, const DrawingLimits& limits) {
  const std::string& operation = presentation_of(experiment).operation;
  for (const auto& [device, rows] : devices) {
    std::vector<UnitPairTime> pairs;
    for (const PointRow* row : rows) {
      const auto ns = figure(*row, plan.figure);
      const Cell* first = find_parameter(*row, plan.first);
      const Cell* second = find_parameter(*row, plan.second);
      const auto* a = first ? std::get_if<std::int64_t>(first) : nullptr;
      const auto* b = second ? std::get_if<std::int64_t>(second) : nullptr;
      constexpr std::int64_t kMostUnits = 1 << 20;
      if (!ns || !a || !b || *a < 0 || *b < 0 || *a > kMostUnits || *b > kMostUnits) continue;
      pairs.push_back({static_cast<std::uint32_t>(*a), static_cast<std::uint32_t>(*b), *ns});
    }
    if (pairs.empty()) continue;
    const std::vector<UnitGroup> groups = unit_groups(pairs);
    std::vector<std::uint32_t> order;
    for (const UnitGroup& group : groups) order.insert(order.end(), group.units.begin(), group.units.end());
    const std::string name = plan.name + '-' + device->slug;
    const std::string title = plan.title + ": " + device->label;
    Chart map = pair_heatmap({name, title, operation}, pairs, order, limits.cells);
    map.remarks = group_remarks(groups, pairs);
    Chart histogram = pair_histogram({name + "-histogram", title + ", how many pairs take how long", operation}, pairs);
    map.devices = histogram.devices = {device->label};
    charts.push_back(std::move(map));
    charts.push_back(std::move(histogram));
  }
}

/// The numbers of all members, with the members of a group next to each other.
std::vector<std::uint32_t> grouped_order(const std::vector<ChipGrouping>& fine_to_coarse, std::size_t count) {
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  for (const ChipGrouping& grouping : fine_to_coarse) {
    std::vector<std::size_t> group_of(count);
    for (std::size_t i = 0; i < grouping.groups.size(); ++i) {
      for (const std::uint32_t member : grouping.groups[i]) group_of[member] = i;
    }
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return group_of[a] < group_of[b]; });
  }
  return order;
}

void add_chip_maps(std::vector<Chart>& charts, const ReportDevice& device, const DrawingLimits& limits) {
  if (!device.analysis) return;
  for (const ChipMap& map : device.analysis->hierarchy.chip_maps) {
    charts.push_back(line_map({.name = fmt::format("chip-map-{}-{}", map.access, device.slug),
                               .title = fmt::format("Hit latency of lines from units, {}: {}", map.access, device.label),
                               .value_title = map.counts_cycles ? "cycles" : "ticks"},
                              map.lines, grouped_order(map.line_groups, map.lines.size()),
                              grouped_order(map.unit_groups, map.units), limits.cells));
    charts.back().devices = {device.label};
  }
}

std::optional<std::int64_t> whole_number(const PointRow& row, const std::string& parameter) {
  const Cell* cell = find_parameter(row, parameter);
  const auto* number = cell ? std::get_if<std::int64_t>(cell) : nullptr;
  return number ? std::optional(*number) : std::nullopt;
}

/// The ok points of a device that have no third number of their configuration, by their question.
std::map<std::string, std::vector<const PointRow*>> rows_by_question(const std::vector<PointRow>& rows, const GridChart& plan) {
  std::map<std::string, std::vector<const PointRow*>> by_question;
  for (const PointRow& row : rows) {
    if (!row.is_ok()) continue;
    Words names;
    bool is_in_table = true;
    for (const auto& [name, cell] : row.parameters) {
      if (name == plan.x || name == plan.y || name == kRole) continue;
      if (is_configuration(row, name)) is_in_table = false;  // a third number, such as a width
      names.push_back(name);
    }
    if (is_in_table) by_question[parameter_words(row, names)].push_back(&row);
  }
  return by_question;
}

void add_grids(std::vector<Chart>& charts, const ReportDevice& device, const std::string& experiment,
               const std::vector<PointRow>& rows, const GridChart& plan) {
  for (const auto& [question, of_question] : rows_by_question(rows, plan)) {
    const std::string figure_name(figure_of({{&device, of_question}}, plan.figures));
    std::vector<GridCell> cells;
    for (const PointRow* row : of_question) {
      const auto x = whole_number(*row, plan.x);
      const auto y = whole_number(*row, plan.y);
      const auto value = figure(*row, figure_name);
      if (!x || !y || !value) continue;
      cells.push_back({*x, *y, *value});
      if (plan.symmetric && *x != *y) cells.push_back({*y, *x, *value});
    }
    if (cells.size() < 2) continue;  // a square of one colour says less than its bar
    const ChartGroup group = with_values({'-' + device.slug, ": " + device.label}, {question});
    charts.push_back(grid_chart({.name = plan.name + group.name,
                                 .title = plan.title + group.title,
                                 .x_title = plan.x_title,
                                 .y_title = plan.y_title,
                                 .value_title = figure_words(experiment, figure_name)},
                                cells));
  }
}

/// The curves of a device's sustained loads over time, one chart per quantity.
void add_load_charts(std::vector<Chart>& charts, const ReportDevice& device, const std::vector<const PointRow*>& rows,
                     const DrawingLimits& limits) {
  struct LoadQuantity {
    const char* name;
    const char* title;
    const char* unit;
    std::vector<TimedValue> LoadCurves::*curve;
  };
  for (const LoadQuantity& quantity :
       {LoadQuantity{"load-rate", "Rate under sustained load", "1e9 bytes or operations per second", &LoadCurves::rate},
        LoadQuantity{"load-clock", "Clock under sustained load", "MHz", &LoadCurves::clock_mhz},
        LoadQuantity{"load-power", "Power under sustained load", "W", &LoadCurves::power_w},
        LoadQuantity{"load-temperature", "Temperature under sustained load", "°C", &LoadCurves::temperature_c}}) {
    std::vector<Series> lines;
    for (const PointRow* row : rows) {
      Words names;
      for (const auto& [name, cell] : row->parameters) {
        if (!is_configuration(*row, name)) names.push_back(name);
      }
      Series line{.name = parameter_words(*row, names), .source = device.source, .points = {}};
      for (const TimedValue& each : row->load.*quantity.curve) line.points.push_back({each.s, each.value});
      if (!line.points.empty()) lines.push_back(std::move(line));
    }
    if (lines.empty()) continue;
    lines.resize(std::min(lines.size(), kMostSeries));
    charts.push_back(curve_chart({.name = fmt::format("{}-{}", quantity.name, device.slug),
                                  .title = fmt::format("{}: {}", quantity.title, device.label),
                                  .x_title = "seconds of load",
                                  .y_title = quantity.unit,
                                  .x = Along::linear,
                                  .y = Along::linear,
                                  .from_zero = false,
                                  .is_time = true},
                                 lines, {}, limits.series_points));
    charts.back().devices = {device.label};
  }
}

/// The devices that are CPUs, or the others. CPUs have their own charts: in a GPU's chart their
/// bandwidths would be lines at zero.
std::vector<DeviceRows> of_processors(const std::vector<DeviceRows>& devices, bool cpus) {
  std::vector<DeviceRows> chosen;
  std::copy_if(devices.begin(), devices.end(), std::back_inserter(chosen), [&](const DeviceRows& rows) {
    const ReportDevice& device = *rows.first;
    return (device.source == Source::measured && device.header().device.type == DeviceType::cpu) == cpus;
  });
  return chosen;
}

/// Whether the points of a measured device differ in the parameter that the plan pairs.
bool has_pairs(const std::vector<DeviceRows>& devices, const BarChart& plan) {
  return std::ranges::any_of(devices, [&](const DeviceRows& drawn) {
    const auto varying = varying_parameters(drawn.second, {});
    return drawn.first->source != Source::published && std::ranges::find(varying, plan.pair) != varying.end();
  });
}

/// Bars for each value of the parameters by which the plan splits: in one chart the smaller ones
/// would be lines at zero.
void add_split_bars(std::vector<Chart>& charts, const std::string& experiment, const std::vector<DeviceRows>& devices,
                    BarChart plan, const ChartGroup& group) {
  if (!plan.pair.empty() && has_pairs(devices, plan)) {
    std::erase(plan.split, plan.pair);
  } else {
    plan.pair.clear();
  }
  for (const auto& [key, rows] : split_by(rows_without(devices, plan.without), plan.split))
    add_bars(charts, experiment, rows, plan, with_values(group, key));
}

/// The values of single operations by their position; the last row of each line counts.
void add_position_charts(std::vector<Chart>& charts, const ReportDevice& device, const std::vector<const PointRow*>& rows,
                         const PositionChart& plan, const DrawingLimits& limits) {
  std::map<std::string, Series> lines;
  for (const PointRow* row : rows) {
    if (row->positions.empty()) continue;
    const std::string words = parameter_words(*row, plan.line);
    Series line{.name = words, .source = device.source, .points = {}};
    for (std::size_t i = 0; i < row->positions.size(); ++i) {
      const PositionValue& value = row->positions[i];
      line.points.push_back({static_cast<double>(i), value.median, SeriesPoint::Spread{value.low, value.high}});
    }
    lines.insert_or_assign(words, std::move(line));
  }
  if (lines.empty()) return;
  std::vector<Series> drawn;
  for (auto& [words, line] : lines) drawn.push_back(std::move(line));
  drawn.resize(std::min(drawn.size(), kMostSeries));
  charts.push_back(curve_chart({.name = fmt::format("{}-{}", plan.name, device.slug),
                                .title = fmt::format("{}: {}", plan.title, device.label),
                                .x_title = "position",
                                .y_title = plan.value_title,
                                .x = Along::linear,
                                .y = Along::linear,
                                .from_zero = true},
                               drawn, {}, limits.series_points));
  charts.back().devices = {device.label};
  charts.back().remarks = {plan.remark};
}

/// Published rows, with the names of the measured rows beside them, if any. `copies` owns the
/// renamed rows.
std::vector<DeviceRows> beside_measured(const std::vector<DeviceRows>& devices, const std::vector<PublishedPlace>& places,
                                        std::deque<PointRow>& copies) {
  const auto is_measured = [&](const PublishedPlace& place) {
    return std::ranges::any_of(devices, [&](const DeviceRows& drawn) {
      return drawn.first->source != Source::published &&
             std::ranges::any_of(drawn.second, [&](const PointRow* row) { return has_words(*row, place.measured); });
    });
  };
  std::vector<PublishedPlace> taken;
  std::ranges::copy_if(places, std::back_inserter(taken), is_measured);
  if (taken.empty()) return devices;

  std::vector<DeviceRows> placed;
  for (const auto& [device, rows] : devices) {
    if (device->source != Source::published) {
      placed.emplace_back(device, rows);
      continue;
    }
    std::vector<const PointRow*> kept;
    for (const PointRow* row : rows) {
      const std::size_t before = kept.size();
      for (const PublishedPlace& place : taken) {
        if (row->parameters.size() != place.published.size() || !has_words(*row, place.published)) continue;
        PointRow& copy = copies.emplace_back(*row);
        for (const auto& [name, words] : place.measured) copy.parameters[name] = words;
        kept.push_back(&copy);
      }
      if (kept.size() == before) kept.push_back(row);
    }
    placed.emplace_back(device, std::move(kept));
  }
  return placed;
}

void add_charts(std::vector<Chart>& charts, const std::string& experiment, const std::vector<DeviceRows>& devices,
                const ChartGroup& group, const DrawingLimits& limits) {
  const Presentation& about = presentation_of(experiment);
  const std::size_t before = charts.size();
  const auto curves = [&](bool after_bars) {
    for (const CurveChart& plan : about.curves) {
      if (plan.after_bars == after_bars) add_curves(charts, experiment, devices, plan, group, limits);
    }
  };
  curves(false);
  std::deque<PointRow> copies;
  const std::vector<DeviceRows> placed = beside_measured(devices, about.published, copies);
  for (const BarChart& plan : about.bars) add_split_bars(charts, experiment, placed, plan, group);
  curves(true);
  if (charts.size() == before) add_bars(charts, experiment, devices, BarChart{}, group);
}

/// The readings of one kind as a line.
Series clock_series(const ReportDevice& device, bool from_telemetry, std::optional<double> ClockReading::*figure,
                    const char* words) {
  Series series{.name = fmt::format("{}, {}", device.label, words), .source = device.source, .points = {}};
  for (const ClockReading& reading : device.clocks) {
    if (reading.from_telemetry == from_telemetry && reading.*figure)
      series.points.push_back({reading.seconds, *(reading.*figure)});
  }
  std::stable_sort(series.points.begin(), series.points.end(),
                   [](const SeriesPoint& a, const SeriesPoint& b) { return a.x < b.x; });
  return series;
}

void add_clock_charts(std::vector<Chart>& charts, const std::vector<Series>& series, const std::string& name,
                      const std::string& title, const std::string& unit, const DrawingLimits& limits) {
  const std::size_t parts = (series.size() + kMostSeries - 1) / kMostSeries;
  for (std::size_t part = 0; part < parts; ++part) {
    const auto first = series.begin() + static_cast<std::ptrdiff_t>(part * kMostSeries);
    const std::vector<Series> part_series(
        first, first + static_cast<std::ptrdiff_t>(std::min(kMostSeries, series.size() - part * kMostSeries)));
    charts.push_back(curve_chart({.name = part_of(name, "{}-{}", part, parts),
                                  .title = part_of(title, "{} ({} of {})", part, parts),
                                  .x_title = "seconds of measuring",
                                  .y_title = unit,
                                  .x = Along::linear,
                                  .y = Along::linear,
                                  .lines = false,
                                  .from_zero = false,
                                  .is_time = true},
                                 part_series, {}, limits.series_points));
  }
}

/// "footprint 64 MiB, pointer, global": all parameters, after a search without the configuration.
std::string pair_words(const PointRow& row) {
  const bool was_searched = find_parameter(row, kRole) != nullptr;
  Words names;
  for (const auto& [name, cell] : row.parameters) {
    if (!was_searched || !is_configuration(row, name)) names.push_back(name);
  }
  return parameter_words(row, names);
}

std::string loop_words(const LoopCode& loop) {
  return fmt::format("{} accesses with {:.2f} operations each", loop.accesses, loop.alu_per_access);
}

/// "timed loops: 31 accesses with 2.06 operations each against 62 accesses with 1.03 operations
/// each"; empty if they are alike or unknown.
std::string loop_difference(const std::optional<LoopCode>& opencl, const std::optional<LoopCode>& vulkan) {
  if (!opencl || !vulkan) return "";
  const std::string words = loop_words(*vulkan);
  const std::string others = loop_words(*opencl);
  return words == others ? "" : fmt::format("timed loops: {} against {}", words, others);
}

bool is_on_rise(const ReportDevice& device, const PointRow& row) {
  const Cell* footprint = find_parameter(row, "footprint");
  const Cell* path = find_parameter(row, "path");
  const auto bytes = footprint ? number_of(*footprint) : std::nullopt;
  return device.analysis && bytes && path && is_on_rise(device.analysis->hierarchy, exact_text_of(*path), *bytes);
}

/// A device with its rows of one experiment.
using ApiRows = std::pair<const ReportDevice&, std::vector<const PointRow*>>;

/// Compares the main figure of each question with answers from both APIs.
std::vector<ApiPair> pairs_of(const std::string& experiment, const ApiRows& opencl, const ApiRows& vulkan) {
  std::map<std::string, const PointRow*> answers;
  for (const PointRow* row : opencl.second) answers[answer_key(*row)] = row;
  std::vector<ApiPair> pairs;
  for (const PointRow* row : vulkan.second) {
    const auto answer = answers.find(answer_key(*row));
    if (answer == answers.end()) continue;
    const std::string_view name = main_figure(*row);
    const auto a = figure(*answer->second, name);
    const auto b = figure(*row, name);
    if (!a || !b || *a <= 0 || *b <= 0) continue;
    const bool is_rate = name == "gb_per_s" || name == "gops_per_s";
    pairs.push_back({experiment, pair_words(*row), *a, *b, name == "gops_per_s" ? "Gops/s" : figure_words(experiment, name),
                     is_rate, loop_difference(answer->second->loop, row->loop),
                     is_on_rise(opencl.first, *row) || is_on_rise(vulkan.first, *row)});
  }
  return pairs;
}

}  // namespace

ReportCharts::ReportCharts(const ReportData& data) : data_(data) {
  for (const ReportDevice& device : data.devices) {
    for (const auto& [experiment, rows] : device.experiments) {
      auto& devices = rows_[experiment];
      auto latest = latest_rows(rows);
      sort_rows(latest);
      if (!latest.empty()) devices.emplace_back(&device, std::move(latest));
    }
  }
}

std::vector<std::string> ReportCharts::experiments() const {
  std::vector<std::string> names;
  for (const auto& [name, rows] : rows_) names.push_back(name);
  std::stable_sort(names.begin(), names.end(),
                   [](const auto& a, const auto& b) { return presentation_of(a).order < presentation_of(b).order; });
  return names;
}

const std::vector<DeviceRows>& ReportCharts::rows(const std::string& experiment) const { return rows_.at(experiment); }

std::vector<Chart> ReportCharts::of_experiment(const std::string& experiment, const DrawingLimits& limits) const {
  std::vector<Chart> charts;
  const auto& devices = rows(experiment);
  const std::vector<PairChart>& pairs = presentation_of(experiment).pairs;
  for (const PairChart& plan : pairs) add_pair_charts(charts, experiment, devices, plan, limits);
  if (!pairs.empty()) return charts;
  const Presentation& about = presentation_of(experiment);
  if (about.map == PairMap::lines) {
    for (const auto& [device, rows] : devices) add_chip_maps(charts, *device, limits);
    return charts;
  }
  for (const GridChart& plan : about.grids) {
    for (const ReportDevice& device : data_.devices) {
      if (const auto own = device.experiments.find(experiment); own != device.experiments.end())
        add_grids(charts, device, experiment, own->second, plan);
    }
  }
  if (!about.grids.empty() && about.bars.empty()) return charts;
  std::vector<Chart> grids = std::exchange(charts, {});
  for (const bool cpus : {false, true}) {
    const ChartGroup group{cpus ? "-cpu" : "", cpus ? ", CPUs" : ""};
    add_charts(charts, experiment, of_processors(devices, cpus), group, limits);
  }
  std::ranges::move(grids, std::back_inserter(charts));
  for (const auto& [device, drawn] : devices) {
    add_load_charts(charts, *device, drawn, limits);
    for (const PositionChart& plan : about.positions) add_position_charts(charts, *device, drawn, plan, limits);
  }
  make_names_unique(charts);
  return charts;
}

std::vector<Chart> ReportCharts::of_clocks(const DrawingLimits& limits) const {
  std::vector<Series> clocks;
  std::vector<Series> power;
  const auto add = [](std::vector<Series>& list, Series series) {
    if (!series.points.empty()) list.push_back(std::move(series));
  };
  for (const ReportDevice& device : data_.devices) {
    add(clocks, clock_series(device, false, &ClockReading::clock_mhz, "kernel's counter"));
    add(clocks, clock_series(device, true, &ClockReading::clock_mhz, "telemetry"));
    add(power, clock_series(device, true, &ClockReading::power_w, "telemetry"));
  }
  std::vector<Chart> charts;
  add_clock_charts(charts, clocks, "clock", "Core clock while measuring", "MHz", limits);
  add_clock_charts(charts, power, "power", "Power while measuring", "W", limits);
  return charts;
}

std::vector<Chart> ReportCharts::of_ceilings() const {
  std::vector<Chart> charts;
  for (const ReportDevice& device : data_.devices) {
    const std::vector<Ceiling> ceilings = ceilings_of(device);
    const auto add = [&](const char* name, const std::string& title, const std::vector<Roof>& roofs) {
      if (roofs.empty()) return;
      std::vector<Series> lines;
      for (const Roof& roof : roofs) {
        Series& line = lines.emplace_back(Series{.name = roof.name, .source = device.source, .points = {}});
        for (const auto& [intensity, rate] : roof.points) line.points.push_back({intensity, rate});
      }
      charts.push_back(curve_chart({.name = name + device.slug,
                                    .title = title + device.label,
                                    .x_title = "floating-point operations per byte",
                                    .y_title = "1e9 floating-point operations per second",
                                    .x = Along::doubled,
                                    .y = Along::doubled},
                                   lines, {}, kRoofPoints));
      charts.back().devices = {device.label};
    };
    add("roofline-", "Roofline of ", roofline(ceilings));
    add("measured-roofline-",
        "Rates by intensity, and the ceilings that bound them: ", measured_roofline(intensity_lines(device, ceilings)));
  }
  return charts;
}

std::vector<Chart> ReportCharts::of_apis(const DrawingLimits& limits) const {
  std::vector<Chart> charts;
  for (const ReportDevice& opencl : data_.devices) {
    if (opencl.source != Source::measured || opencl.header().device.api != Api::opencl) continue;
    for (const ReportDevice& vulkan : data_.devices) {
      if (vulkan.source != Source::measured || vulkan.header().device.api != Api::vulkan ||
          vulkan.header().identity != opencl.header().identity) {
        continue;
      }
      std::vector<ApiPair> pairs;
      for (const auto& [experiment, drawn] : rows_) {
        const auto rows_of_device = [&, &devices = drawn](const ReportDevice& device) {
          const auto found =
              std::find_if(devices.begin(), devices.end(), [&](const DeviceRows& rows) { return rows.first == &device; });
          return found == devices.end() ? std::vector<const PointRow*>() : found->second;
        };
        for (ApiPair& pair : pairs_of(experiment, {opencl, rows_of_device(opencl)}, {vulkan, rows_of_device(vulkan)}))
          pairs.push_back(std::move(pair));
      }
      if (pairs.empty()) continue;
      charts.push_back(
          api_pairs("apis-" + opencl.slug, fmt::format("{} and {}", opencl.label, vulkan.label), std::move(pairs), limits.pairs));
      charts.back().devices = {opencl.label, vulkan.label};
    }
  }
  return charts;
}

}  // namespace percycle
