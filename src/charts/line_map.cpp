#include "charts/line_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "analysis/chip_map.hpp"
#include "charts/drawing.hpp"
#include "charts/theme.hpp"
#include "core/figures.hpp"

namespace percycle {
namespace {

using nlohmann::json;

constexpr int kWidth = 640;  // pixels; the page fits it to its width
constexpr int kHeight = 480;

std::size_t cells_across(std::size_t count, std::size_t together) { return (count + together - 1) / together; }

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

Chart line_map(const ChartName& name, const ChipMap& map) {
  const std::vector<std::uint32_t> line_order = grouped_order(map.line_groups, map.lines.size());
  const std::vector<std::uint32_t> unit_order = grouped_order(map.unit_groups, map.units);
  std::size_t lines = 1;
  std::size_t units = 1;
  while (cells_across(line_order.size(), lines) * cells_across(unit_order.size(), units) > kMostCells)
    (cells_across(line_order.size(), lines) > cells_across(unit_order.size(), units) ? lines : units) *= 2;

  double least = map.lines.front().front();
  double most = least;
  json cells = json::array();
  for (std::size_t first_line = 0; first_line < line_order.size(); first_line += lines) {
    for (std::size_t first_unit = 0; first_unit < unit_order.size(); first_unit += units) {
      std::vector<double> of_cell;
      for (std::size_t i = first_line; i < std::min(first_line + lines, line_order.size()); ++i) {
        for (std::size_t j = first_unit; j < std::min(first_unit + units, unit_order.size()); ++j)
          of_cell.push_back(map.lines[line_order[i]][unit_order[j]]);
      }
      const auto [low, high] = std::minmax_element(of_cell.begin(), of_cell.end());
      least = std::min(least, *low);
      most = std::max(most, *high);
      cells.push_back({{"line", line_order[first_line]}, {"unit", unit_order[first_unit]}, {"value", drawn(middle(of_cell))}});
    }
  }

  const std::string value_title = counter_unit(map.counts_cycles);
  std::string description =
      fmt::format("{} of {} lines from {} units: {:.1f} to {:.1f}. Lines and units that are alike stand together.", value_title,
                  line_order.size(), unit_order.size(), least, most);
  if (lines * units > 1) description += fmt::format(" A cell is the median of {} lines by {} units.", lines, units);
  Chart chart = chart_frame(name, std::move(description), std::move(cells));
  chart.spec["width"] = kWidth;
  chart.spec["height"] = kHeight;
  json encoding = {{"color", cell_color("value", value_title)},
                   {"tooltip", tooltip({{"line", "line"}, {"unit", "unit"}, {"value", value_title}})}};
  for (const auto& [axis, field] : {std::pair{"x", "unit"}, std::pair{"y", "line"}}) {
    encoding[axis] = cell_axis(field, field);
    encoding[axis]["sort"] = nullptr;  // in the order of the data
    encoding[axis]["axis"]["ticks"] = false;
  }
  chart.spec["layer"] = json::array({{{"mark", {{"type", "rect"}}}, {"encoding", std::move(encoding)}}});
  return chart;
}

}  // namespace

void add_line_maps(std::vector<Chart>& charts, const ReportDevice& device) {
  if (!device.analysis) return;
  for (const ChipMap& map : device.analysis->hierarchy.chip_maps) {
    charts.push_back(
        line_map(ChartName{"chip-map-" + map.access, "Hit latency of lines from units, " + map.access} + of_device(device), map));
    charts.back().devices = {device.label};
  }
}

}  // namespace percycle
