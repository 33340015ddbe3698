#include "charts/curves.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "charts/theme.hpp"
#include "report/efficiency.hpp"

namespace percycle {

void add_position_charts(std::vector<Chart>& charts, const ReportDevice& device, const std::vector<const PointRow*>& rows,
                         const PositionChart& plan) {
  std::map<std::string, Series> lines;
  for (const PointRow* row : rows) {
    if (row->positions.empty()) continue;
    const std::string words = chart_words(*row, {plan.line});
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
  charts.push_back(curve_chart(
      {.name = plan.name, .title = plan.title, .x_title = "position", .x_scale = AxisScale::linear, .y_title = plan.value_title},
      of_device(device), drawn));
  charts.back().devices = {device.label};
  charts.back().remarks = {plan.remark};
}

}  // namespace percycle
