#include "charts/curve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "charts/theme.hpp"

namespace percycle {
namespace {

using nlohmann::json;

constexpr int kPadding = 8;             // pixels, so that no mark is cut at the border
constexpr std::size_t kMostLabels = 8;  // edges with a label

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void take(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

json axis_of(const std::string& title, Along along) {
  if (along == Along::bytes) return bytes_axis(title);
  return {{"title", title}, {"labelOverlap", true}};
}

json scale_of(Along along, bool from_zero) {
  if (along == Along::linear) return {{"zero", from_zero}, {"padding", from_zero ? 0 : kPadding}};
  return {{"type", "log"}, {"base", 2}, {"nice", false}, {"padding", kPadding}};
}

json x_encoding(const CurveStyle& style) {
  return {
      {"field", "x"}, {"type", "quantitative"}, {"scale", scale_of(style.x, false)}, {"axis", axis_of(style.x_title, style.x)}};
}

json y_encoding(const CurveStyle& style) {
  return {{"field", "y"},
          {"type", "quantitative"},
          {"scale", scale_of(style.y, style.from_zero)},
          {"axis", axis_of(style.y_title, style.y)}};
}

json tooltip(const CurveStyle& style) {
  json x = {{"field", style.x == Along::bytes ? "size" : "x"}, {"title", style.x_title}};
  return {{{"field", "series"}, {"title", "series"}},
          {{"field", "source"}, {"title", "source"}},
          x,
          {{"field", "y"}, {"title", style.y_title}}};
}

json edge_layers(const std::vector<Edge>& edges) {
  json values = json::array();
  for (const Edge& edge : edges) values.push_back({{"x", drawn(edge.x)}, {"series", edge.series}, {"edge", edge.label}});
  json rule = {{"data", {{"values", values}}},
               {"mark", {{"type", "rule"}, {"strokeDash", {3, 3}}, {"opacity", 0.8}}},
               {"encoding",
                {{"x", {{"field", "x"}, {"type", "quantitative"}}},
                 {"color", {{"field", "series"}, {"type", "nominal"}}},
                 {"tooltip", {{{"field", "series"}}, {{"field", "edge"}, {"title", "ends here"}}}}}}};
  json layers = json::array({rule});
  // Labels of one series only: those of several series that lie close together would overlap.
  json named = json::array();
  std::copy_if(values.begin(), values.end(), std::back_inserter(named),
               [&](const json& edge) { return edge["series"] == edges.front().series; });
  if (named.size() > kMostLabels) return layers;
  json text = rule;
  text["data"]["values"] = named;
  text["mark"] = {{"type", "text"}, {"angle", 270}, {"align", "right"}, {"baseline", "bottom"}, {"dx", -4}, {"dy", -3}, {"y", 0}};
  text["encoding"]["text"] = {{"field", "edge"}};
  text["encoding"]["y"] = {{"value", 0}};
  layers.push_back(text);
  return layers;
}

std::string describe(const CurveStyle& style, const std::vector<Series>& series) {
  std::string text = fmt::format("{} over {}, {} series.", style.y_title, style.x_title, series.size());
  for (const Series& line : series) {
    Range y;
    for (const SeriesPoint& point : line.points) y.take(point.y);
    text += fmt::format(" {}: {:.4g} at the first of {} points, {:.4g} at the last, {:.4g} to {:.4g} between.", line.name,
                        line.points.front().y, line.points.size(), line.points.back().y, y.low, y.high);
  }
  return text;
}

}  // namespace

Chart curve_chart(const CurveStyle& style, const std::vector<Series>& series, const std::vector<Edge>& edges,
                  std::size_t most_points) {
  Chart chart{.name = style.name, .title = style.title, .description = describe(style, series), .spec = {}};
  json values = json::array();
  std::vector<std::string> names;
  for (const Series& line : series) {
    names.push_back(line.name);
    for (const SeriesPoint& point : thinned(line.points, most_points)) {
      // An initialiser list would copy each of thousands of members.
      json& value = values.emplace_back(json::object());
      value["series"] = line.name;
      value["source"] = to_string(line.source);
      value["x"] = drawn(point.x);
      value["y"] = drawn(point.y);
    }
    chart.points += line.points.size();
  }
  chart.marks = values.size();

  json points = {{"mark", {{"type", "point"}, {"filled", true}, {"size", style.lines ? 26 : 18}}},
                 {"encoding",
                  {{"x", x_encoding(style)},
                   {"y", y_encoding(style)},
                   {"color", series_color(names)},
                   {"shape", source_shape(series)},
                   {"opacity", selected_opacity(1)},
                   {"tooltip", tooltip(style)}}}};
  json layers = json::array();
  if (style.lines) {
    layers.push_back({{"mark", {{"type", "line"}, {"strokeWidth", 1.5}}},
                      {"encoding",
                       {{"x", x_encoding(style)},
                        {"y", y_encoding(style)},
                        {"color", series_color(names)},
                        {"strokeDash", source_dash(series)},
                        {"opacity", selected_opacity(0.8)}}}});
  }
  layers.push_back(points);
  // In the first layer: Vega-Lite makes a shared legend clickable only there.
  layers[0]["params"] = {series_selection(), zoom_selection({"x", "y"})};
  if (!edges.empty()) {
    for (json& layer : edge_layers(edges)) layers.push_back(layer);
  }

  chart.spec = chart_frame(style.title, chart.description);
  chart.spec["data"]["values"] = std::move(values);
  if (style.x == Along::bytes) {
    chart.spec["transform"] = json::array({{{"calculate", bytes_expression("datum.x")}, {"as", "size"}}});
  }
  chart.spec["layer"] = layers;
  return chart;
}

}  // namespace percycle
