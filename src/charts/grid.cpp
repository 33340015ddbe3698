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

using GridJson = nlohmann::json;

constexpr double kShownBelow = 0.1;  // below the highest value: the colours show at least these

GridJson axis(const char* field, const std::string& title) {
  return {{"field", field},
          {"type", "ordinal"},
          {"sort", "ascending"},
          {"axis", {{"title", title}, {"labelAngle", 0}, {"labelOverlap", true}, {"grid", false}}}};
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
    std::vector<std::string> names;
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

}  // namespace

Chart grid_chart(const GridStyle& style, const std::vector<GridCell>& cells) {
  std::map<std::pair<std::int64_t, std::int64_t>, double> values;
  for (const GridCell& cell : cells) values[{cell.x, cell.y}] = cell.value;
  const auto [least, most] =
      std::minmax_element(values.begin(), values.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  Chart chart{.name = style.name, .title = style.title, .description = {}, .spec = {}};
  chart.marks = values.size();
  chart.points = cells.size();
  chart.description = fmt::format("{} by {} and {}: {} to {}.", style.value_title, style.x_title, style.y_title,
                                  digits(least->second), digits(most->second));
  GridJson data = GridJson::array();
  for (const auto& [place, value] : values) data.push_back({{"x", place.first}, {"y", place.second}, {"value", drawn(value)}});

  const GridJson tooltip = {{{"field", "x"}, {"title", style.x_title}},
                            {{"field", "y"}, {"title", style.y_title}},
                            {{"field", "value"}, {"title", style.value_title}}};
  // Rates that hardly differ look alike.
  const double lowest = std::min(least->second, (1 - kShownBelow) * most->second);
  const GridJson color = {{"field", "value"},
                          {"type", "quantitative"},
                          {"scale", {{"scheme", "viridis"}, {"domain", {drawn(lowest), drawn(most->second)}}}},
                          {"legend",
                           {{"title", style.value_title},
                            {"titleLimit", 400},  // else cut to the gradient's length
                            {"orient", "bottom"},
                            {"direction", "horizontal"},
                            {"gradientLength", 200}}}};
  // Dark cells get light numbers.
  const GridJson number_color = {
      {"condition", {{"test", fmt::format("datum.value < {}", (lowest + most->second) / 2)}, {"value", "white"}}},
      {"value", "black"}};
  chart.spec = chart_frame(style.title, chart.description);
  // High enough for the title of the axis.
  std::set<std::int64_t> lines;
  for (const auto& [place, value] : values) lines.insert(place.second);
  // Not by steps, which Vega-Lite does not allow in a chart as wide as its page.
  chart.spec["height"] = lines.size() * std::max<std::size_t>(28, 7 * style.y_title.size() / lines.size());
  chart.spec["data"] = {{"values", data}};
  chart.spec["encoding"] = {{"x", axis("x", style.x_title)}, {"y", axis("y", style.y_title)}, {"tooltip", tooltip}};
  chart.spec["layer"] = GridJson::array(
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
    const ChartGroup group = with_values({'-' + device.slug, ": " + device.label}, {question});
    charts.push_back(grid_chart({.name = plan.name + group.name,
                                 .title = plan.title + group.title,
                                 .x_title = plan.x_title,
                                 .y_title = plan.y_title,
                                 .value_title = figure_words(experiment, figure_name)},
                                cells));
  }
}

}  // namespace percycle
