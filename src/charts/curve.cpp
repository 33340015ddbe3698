#include "charts/curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "charts/theme.hpp"

namespace percycle {
namespace {

using nlohmann::json;

constexpr int kPadding = 8;             // pixels, so that no mark is cut at the border
constexpr std::size_t kMostLabels = 8;  // edges with a label
constexpr std::size_t kLabelRows = 3;   // above the plot, in turn
constexpr int kRowHeight = 13;          // pixels
constexpr double kAround = 0.1;         // shown around a flat line
constexpr double kFlat = 1.2;           // highest over lowest value
constexpr double kFewOctaves = 6;       // largest over smallest size

struct AxisRange {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void take(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

json axis_of(const std::string& title, AxisScale axis_scale) {
  if (axis_scale == AxisScale::bytes) return bytes_axis(title);
  json axis = {{"title", title}, {"labelOverlap", true}};
  // More ticks than three octaves have powers of two would stand at 3, 5, 7 ...
  if (axis_scale == AxisScale::doubled) axis["tickCount"] = 6;
  return axis;
}

json scale_of(AxisScale axis_scale) {
  if (axis_scale == AxisScale::linear) return {{"zero", false}, {"nice", false}, {"padding", kPadding}};
  return {{"type", "log"}, {"base", 2}, {"nice", false}, {"padding", kPadding}};
}

AxisRange x_range(std::span<const Series> series) {
  AxisRange range;
  for (const Series& line : series) {
    for (const SeriesPoint& point : line.points) range.take(point.x);
  }
  return range;
}

AxisRange y_range(std::span<const Series> series) {
  AxisRange range;
  for (const Series& line : series) {
    for (const SeriesPoint& point : line.points) {
      range.take(point.y);
      if (!point.spread) continue;
      range.take(point.spread->low);
      range.take(point.spread->high);
    }
  }
  return range;
}

json y_scale_of(const CurveChart& plan, const AxisRange& range, bool is_part) {
  if (plan.y_scale == AxisScale::linear && !plan.over_time) {
    json scale = {{"zero", true}};
    if (is_part) scale["domain"] = {0, drawn(range.high)};
    return scale;
  }
  json scale = plan.y_scale == AxisScale::linear ? json{{"zero", false}, {"padding", kPadding}} : scale_of(plan.y_scale);
  if (range.low > 0 && range.high < kFlat * range.low) {
    scale["domain"] = {drawn(range.low * (1 - kAround)), drawn(range.high * (1 + kAround))};
  } else if (is_part) {
    scale["domain"] = {drawn(range.low), drawn(range.high)};
  }
  return scale;
}

/// Quarters of octaves within a range of few octaves, in which Vega's ticks would be odd sizes like
/// 1.95 KiB; else empty.
json quarter_ticks(const AxisRange& range) {
  json ticks = json::array();
  if (!(range.low > 0 && range.high < kFewOctaves * range.low)) return ticks;
  for (double octave = std::exp2(std::floor(std::log2(range.low))); octave <= range.high; octave *= 2) {
    for (int quarter = 4; quarter < 8; ++quarter) {
      const double tick = octave * quarter / 4;
      if (tick >= range.low && tick <= range.high) ticks.push_back(tick);
    }
  }
  return ticks;
}

json x_encoding(const CurveChart& plan, const AxisRange& range, bool is_part) {
  json axis = axis_of(plan.x_title, plan.x_scale);
  if (plan.x_scale == AxisScale::linear) axis["tickMinStep"] = 1;
  json scale = scale_of(plan.x_scale);
  if (plan.over_time) scale["domainMin"] = 0;
  if (plan.x_scale == AxisScale::bytes && !is_part) {
    if (json ticks = quarter_ticks(range); !ticks.empty()) axis["values"] = std::move(ticks);
  }
  if (is_part && range.low < range.high) scale["domain"] = {drawn(range.low), drawn(range.high)};
  return {{"field", "x"}, {"type", "quantitative"}, {"scale", scale}, {"axis", axis}};
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
  // Labels of one series only: labels of several close series would overlap.
  json named = json::array();
  std::copy_if(values.begin(), values.end(), std::back_inserter(named),
               [&](const json& edge) { return edge["series"] == edges.front().series; });
  if (named.size() > kMostLabels) return layers;
  std::stable_sort(named.begin(), named.end(), [](const json& a, const json& b) { return a["x"] < b["x"]; });
  std::vector<json> rows(std::min(kLabelRows, named.size()), json::array());
  for (std::size_t i = 0; i < named.size(); ++i) rows[i % kLabelRows].push_back(named[i]);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    json text = rule;
    text["data"]["values"] = rows[row];
    text["mark"] = {{"type", "text"}, {"baseline", "bottom"}, {"clip", false}, {"dy", -2 - kRowHeight * static_cast<int>(row)}};
    text["encoding"]["text"] = {{"field", "edge"}};
    text["encoding"]["y"] = {{"value", 0}};
    layers.push_back(text);
  }
  return layers;
}

std::string describe(const CurveChart& plan, std::span<const Series> series) {
  std::string text = fmt::format("{} over {}, {} series.", plan.y_title, plan.x_title, series.size());
  for (const Series& line : series) {
    AxisRange y;
    for (const SeriesPoint& point : line.points) y.take(point.y);
    text += fmt::format(" {}: {} at the first of {} points, {} at the last, {} to {} between.", line.name,
                        digits(line.points.front().y), line.points.size(), digits(line.points.back().y), digits(y.low),
                        digits(y.high));
  }
  return text;
}

json values_of(std::span<const Series> series, std::size_t most_points) {
  json values = json::array();
  for (const Series& line : series) {
    for (const SeriesPoint& point : thinned(line.points, most_points)) {
      // An initialiser list would copy each of thousands of members.
      json& value = values.emplace_back(json::object());
      value["series"] = line.name;
      value["source"] = to_string(line.source);
      value["x"] = drawn(point.x);
      value["y"] = drawn(point.y);
      if (!point.spread) continue;
      value["low"] = drawn(point.spread->low);
      value["high"] = drawn(point.spread->high);
    }
  }
  return values;
}

bool has_bands(std::span<const Series> series) {
  return std::ranges::any_of(series, [](const Series& line) {
    return std::ranges::any_of(line.points, [](const SeriesPoint& point) { return point.spread.has_value(); });
  });
}

}  // namespace

Chart curve_chart(const CurveChart& plan, const ChartName& end, std::span<const Series> series, const std::vector<Edge>& edges,
                  std::span<const Series> all, std::size_t most_points) {
  Chart chart = chart_frame(ChartName{plan.name, plan.title} + end, describe(plan, series), values_of(series, most_points));
  std::vector<std::string> names;
  chart.points = 0;
  for (const Series& line : series) {
    names.push_back(line.name);
    chart.points += line.points.size();
  }
  const bool is_part = all.size() > series.size();
  const auto scaled = is_part ? all : series;
  const json y = {{"field", "y"},
                  {"type", "quantitative"},
                  {"scale", y_scale_of(plan, y_range(scaled), is_part)},
                  {"axis", axis_of(plan.y_title, plan.y_scale)}};
  const json encoding = {{"x", x_encoding(plan, x_range(scaled), is_part)}, {"y", y}, {"color", series_color(names)}};
  json layers = json::array();
  const auto add_layer = [&](json mark, double opacity) -> json& {
    json& layer = layers.emplace_back(json{{"mark", std::move(mark)}, {"encoding", encoding}})["encoding"];
    layer["opacity"] = selected_opacity(opacity);
    return layer;
  };
  if (plan.lines) add_layer({{"type", "line"}, {"strokeWidth", 1.5}}, 0.8)["strokeDash"] = source_dash(series);
  json& points = add_layer({{"type", "point"}, {"filled", true}, {"size", plan.lines ? 26 : 18}}, 1);
  points["shape"] = source_shape(series);
  points["tooltip"] = tooltip({{"series", "series"},
                               {"source", "source"},
                               {plan.x_scale == AxisScale::bytes ? "size" : "x", plan.x_title},
                               {"y", plan.y_title}});
  if (has_bands(series)) {
    json& band = add_layer({{"type", "area"}, {"tooltip", false}}, 0.25);
    band["y"]["field"] = "low";
    band["y2"] = {{"field", "high"}};
    layers.back()["transform"] = json::array({{{"filter", "isValid(datum.low)"}}});
  }
  // In the first layer: Vega-Lite makes a shared legend clickable only there.
  layers[0]["params"] = {series_selection(), zoom_selection({"x", "y"})};
  if (!edges.empty()) {
    for (json& layer : edge_layers(edges)) layers.push_back(layer);
  }
  if (plan.x_scale == AxisScale::bytes)
    chart.spec["transform"] = json::array({{{"calculate", bytes_expression("datum.x")}, {"as", "size"}}});
  chart.spec["layer"] = std::move(layers);
  return chart;
}

}  // namespace percycle
