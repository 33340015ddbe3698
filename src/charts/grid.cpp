#include "charts/grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "charts/theme.hpp"
#include "core/configuration.hpp"
#include "report/efficiency.hpp"

namespace percycle {
namespace {

using nlohmann::json;

constexpr double kShownBelow = 0.1;  // below the highest value: the colours show at least these

std::optional<std::int64_t> whole_number(const PointRow& row, const std::string& parameter) {
  const Cell* cell = find_parameter(row, parameter);
  const auto* number = cell ? std::get_if<std::int64_t>(cell) : nullptr;
  return number ? std::optional(*number) : std::nullopt;
}

/// The parameters of a question, and their words.
using GridQuestion = std::pair<std::string, std::string>;

/// The ok points of a device that have no third number of their configuration, by their question.
std::map<GridQuestion, std::vector<const PointRow*>> rows_by_question(const std::vector<PointRow>& rows, const GridChart& plan) {
  std::map<GridQuestion, std::vector<const PointRow*>> by_question;
  for (const PointRow& row : rows) {
    if (!row.is_ok()) continue;
    std::vector<std::string> names;
    bool is_in_table = true;
    for (const auto& [name, cell] : row.parameters) {
      if (name == plan.x || name == plan.y || name == kRole) continue;
      if (is_configuration(row, name)) is_in_table = false;  // a third number, such as a width
      names.push_back(name);
    }
    if (is_in_table) by_question[{parameter_words(row, names), chart_words(row, names)}].push_back(&row);
  }
  return by_question;
}

}  // namespace

Chart grid_chart(const GridChart& plan, const ChartName& end, const std::string& value_title,
                 const std::vector<GridCell>& cells) {
  std::map<std::pair<std::int64_t, std::int64_t>, double> values;
  std::set<std::int64_t> lines;
  for (const GridCell& cell : cells) {
    values[{cell.x, cell.y}] = cell.value;
    lines.insert(cell.y);
  }
  const auto [least, most] = std::ranges::minmax_element(values, {}, [](const auto& place) { return place.second; });
  json data = json::array();
  for (const auto& [place, value] : values) data.push_back({{"x", place.first}, {"y", place.second}, {"value", drawn(value)}});
  Chart chart = chart_frame(ChartName{plan.name, plan.title} + end,
                            fmt::format("{} by {} and {}: {} to {}.", value_title, plan.x_title, plan.y_title,
                                        digits(least->second), digits(most->second)),
                            std::move(data));
  chart.points = cells.size();
  // High enough for the title of the axis. Not by steps, which Vega-Lite does not allow in a chart
  // as wide as its page.
  chart.spec["height"] = lines.size() * std::max<std::size_t>(28, 7 * plan.y_title.size() / lines.size());

  // Rates that hardly differ look alike.
  const double lowest = std::min(least->second, (1 - kShownBelow) * most->second);
  json color = cell_color("value", value_title);
  color["scale"] = {{"scheme", "viridis"}, {"domain", {drawn(lowest), drawn(most->second)}}};
  color["legend"]["titleLimit"] = 400;  // else cut to the gradient's length
  // Dark cells get light numbers.
  const json number_color = {
      {"condition", {{"test", fmt::format("datum.value < {}", (lowest + most->second) / 2)}, {"value", "white"}}},
      {"value", "black"}};
  json x = cell_axis("x", plan.x_title);
  json y = cell_axis("y", plan.y_title);
  x["sort"] = y["sort"] = "ascending";
  chart.spec["encoding"] = {
      {"x", x}, {"y", y}, {"tooltip", tooltip({{"x", plan.x_title}, {"y", plan.y_title}, {"value", value_title}})}};
  chart.spec["layer"] = json::array(
      {{{"mark", {{"type", "rect"}}}, {"encoding", {{"color", color}}}},
       {{"mark", {{"type", "text"}, {"fontSize", 10}}},
        {"encoding", {{"text", {{"field", "value"}, {"type", "quantitative"}, {"format", ".4~r"}}}, {"color", number_color}}}}});
  return chart;
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
    charts.push_back(grid_chart(plan, with_values(of_device(device), {question.first}, question.second),
                                figure_words(experiment, {{&device, of_question}}, figure_name), cells));
  }
}

}  // namespace percycle
