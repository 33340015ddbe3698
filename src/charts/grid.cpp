#include "charts/grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "charts/theme.hpp"

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

}  // namespace percycle
