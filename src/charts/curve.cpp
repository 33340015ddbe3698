#include "charts/curve.hpp"

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

json axis_of(const std::string& title, Along along) {
  if (along == Along::bytes) return bytes_axis(title);
  json axis = {{"title", title}, {"labelOverlap", true}};
  // More ticks than three octaves have powers of two would stand at 3, 5, 7 ...
  if (along == Along::doubled) axis["tickCount"] = 6;
  return axis;
}

json scale_of(Along along) {
  if (along == Along::linear) return {{"zero", false}, {"nice", false}, {"padding", kPadding}};
  return {{"type", "log"}, {"base", 2}, {"nice", false}, {"padding", kPadding}};
}

AxisRange y_range(const CurveStyle& style, const std::vector<Series>& series) {
  if (style.y_span) return {style.y_span->first, style.y_span->second};
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

json y_scale(const CurveStyle& style, const AxisRange& range) {
  if (style.y == Along::linear && style.from_zero) {
    json scale = {{"zero", true}};
    if (style.y_span) scale["domain"] = {0, drawn(range.high)};
    return scale;
  }
  json scale = style.y == Along::linear ? json{{"zero", false}, {"padding", kPadding}} : scale_of(style.y);
  if (range.low > 0 && range.high < kFlat * range.low) {
    scale["domain"] = {drawn(range.low * (1 - kAround)), drawn(range.high * (1 + kAround))};
  } else if (style.y_span) {
    scale["domain"] = {drawn(range.low), drawn(range.high)};
  }
  return scale;
}

/// Quarters of octaves within a range of few octaves, in which Vega's ticks would be odd sizes like
/// 1.95 KiB; else empty.
json quarter_ticks(const std::vector<Series>& series) {
  AxisRange range;
  for (const Series& line : series) {
    for (const SeriesPoint& point : line.points) range.take(point.x);
  }
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

json x_encoding(const CurveStyle& style, const std::vector<Series>& series) {
  json axis = axis_of(style.x_title, style.x);
  if (style.x == Along::linear) axis["tickMinStep"] = 1;
  json scale = scale_of(style.x);
  if (style.is_time) scale["domainMin"] = 0;
  if (style.x == Along::bytes && !style.x_span) {
    if (json ticks = quarter_ticks(series); !ticks.empty()) axis["values"] = std::move(ticks);
  }
  if (style.x_span && style.x_span->first < style.x_span->second)
    scale["domain"] = {drawn(style.x_span->first), drawn(style.x_span->second)};
  return {{"field", "x"}, {"type", "quantitative"}, {"scale", scale}, {"axis", axis}};
}

json y_encoding(const CurveStyle& style, const std::vector<Series>& series) {
  return {{"field", "y"},
          {"type", "quantitative"},
          {"scale", y_scale(style, y_range(style, series))},
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

json band_layer(const CurveStyle& style, const std::vector<Series>& series, const std::vector<std::string>& names) {
  json low = y_encoding(style, series);
  low["field"] = "low";
  return {{"mark", {{"type", "area"}, {"tooltip", false}}},
          {"transform", json::array({{{"filter", "isValid(datum.low)"}}})},
          {"encoding",
           {{"x", x_encoding(style, series)},
            {"y", std::move(low)},
            {"y2", {{"field", "high"}}},
            {"color", series_color(names)},
            {"opacity", selected_opacity(0.25)}}}};
}

std::string describe(const CurveStyle& style, const std::vector<Series>& series) {
  std::string text = fmt::format("{} over {}, {} series.", style.y_title, style.x_title, series.size());
  for (const Series& line : series) {
    AxisRange y;
    for (const SeriesPoint& point : line.points) y.take(point.y);
    text += fmt::format(" {}: {} at the first of {} points, {} at the last, {} to {} between.", line.name,
                        digits(line.points.front().y), line.points.size(), digits(line.points.back().y), digits(y.low),
                        digits(y.high));
  }
  return text;
}

}  // namespace

Chart curve_chart(const CurveStyle& style, const std::vector<Series>& series, const std::vector<Edge>& edges,
                  std::size_t most_points) {
  Chart chart{.name = style.name, .title = style.title, .description = describe(style, series), .spec = {}};
  json values = json::array();
  std::vector<std::string> names;
  bool has_bands = false;
  for (const Series& line : series) {
    names.push_back(line.name);
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
      has_bands = true;
    }
    chart.points += line.points.size();
  }
  chart.marks = values.size();

  json points = {{"mark", {{"type", "point"}, {"filled", true}, {"size", style.lines ? 26 : 18}}},
                 {"encoding",
                  {{"x", x_encoding(style, series)},
                   {"y", y_encoding(style, series)},
                   {"color", series_color(names)},
                   {"shape", source_shape(series)},
                   {"opacity", selected_opacity(1)},
                   {"tooltip", tooltip(style)}}}};
  json layers = json::array();
  if (style.lines) {
    layers.push_back({{"mark", {{"type", "line"}, {"strokeWidth", 1.5}}},
                      {"encoding",
                       {{"x", x_encoding(style, series)},
                        {"y", y_encoding(style, series)},
                        {"color", series_color(names)},
                        {"strokeDash", source_dash(series)},
                        {"opacity", selected_opacity(0.8)}}}});
  }
  layers.push_back(points);
  if (has_bands) layers.push_back(band_layer(style, series, names));
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
