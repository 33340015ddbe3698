#include "charts/line_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "analysis/chip_map.hpp"
#include "charts/theme.hpp"

namespace percycle {
namespace {

using MapJson = nlohmann::json;

constexpr int kWidth = 640;  // pixels; the page fits it to its width
constexpr int kHeight = 480;

std::size_t cells_across(std::size_t count, std::size_t together) { return (count + together - 1) / together; }

MapJson map_axis(const char* field, const char* words) {
  return {{"field", field},
          {"type", "ordinal"},
          {"sort", nullptr},  // in the order of the data
          {"axis", {{"title", words}, {"labelOverlap", true}, {"labelAngle", 0}, {"grid", false}, {"ticks", false}}}};
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

}  // namespace

Chart line_map(const LineMapStyle& style, const std::vector<std::vector<double>>& values,
               const std::vector<std::uint32_t>& line_order, const std::vector<std::uint32_t>& unit_order,
               std::size_t most_cells) {
  std::size_t lines = 1;
  std::size_t units = 1;
  while (cells_across(line_order.size(), lines) * cells_across(unit_order.size(), units) > most_cells)
    (cells_across(line_order.size(), lines) > cells_across(unit_order.size(), units) ? lines : units) *= 2;

  double least = values.front().front();
  double most = least;
  MapJson cells = MapJson::array();
  for (std::size_t first_line = 0; first_line < line_order.size(); first_line += lines) {
    for (std::size_t first_unit = 0; first_unit < unit_order.size(); first_unit += units) {
      std::vector<double> of_cell;
      for (std::size_t i = first_line; i < std::min(first_line + lines, line_order.size()); ++i) {
        for (std::size_t j = first_unit; j < std::min(first_unit + units, unit_order.size()); ++j)
          of_cell.push_back(values[line_order[i]][unit_order[j]]);
      }
      const auto [low, high] = std::minmax_element(of_cell.begin(), of_cell.end());
      least = std::min(least, *low);
      most = std::max(most, *high);
      cells.push_back({{"line", line_order[first_line]}, {"unit", unit_order[first_unit]}, {"value", drawn(middle(of_cell))}});
    }
  }

  Chart chart{.name = style.name, .title = style.title, .description = {}, .spec = {}};
  chart.marks = cells.size();
  chart.points = cells.size();
  chart.description =
      fmt::format("{} of {} lines from {} units: {:.1f} to {:.1f}. Lines and units that are alike stand together.",
                  style.value_title, line_order.size(), unit_order.size(), least, most);
  if (lines * units > 1) chart.description += fmt::format(" A cell is the median of {} lines by {} units.", lines, units);
  chart.spec = chart_frame(style.title, chart.description);
  chart.spec["width"] = kWidth;
  chart.spec["height"] = kHeight;
  chart.spec["data"] = {{"values", cells}};
  chart.spec["layer"] = MapJson::array(
      {{{"mark", {{"type", "rect"}}},
        {"encoding",
         {{"x", map_axis("unit", "unit")},
          {"y", map_axis("line", "line")},
          {"color",
           {{"field", "value"},
            {"type", "quantitative"},
            {"scale", {{"scheme", "viridis"}, {"zero", false}}},
            {"legend",
             {{"title", style.value_title}, {"orient", "bottom"}, {"direction", "horizontal"}, {"gradientLength", 200}}}}},
          {"tooltip",
           {{{"field", "line"}, {"title", "line"}},
            {{"field", "unit"}, {"title", "unit"}},
            {{"field", "value"}, {"title", style.value_title}}}}}}}});
  return chart;
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

}  // namespace percycle
