#include "charts/theme.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace percycle {
namespace {

using nlohmann::json;

constexpr const char* kSchema = "https://vega.github.io/schema/vega-lite/v6.json";

const json& source_names() {
  static const json names = {"measured", "simulated", "published"};
  return names;
}

/// A legend if there are several sources.
json source_legend(std::span<const Series> series) {
  std::set<Source> sources;
  for (const Series& one : series) sources.insert(one.source);
  if (sources.size() < 2) return nullptr;
  return {{"title", nullptr}};
}

}  // namespace

json theme_config(Theme theme) {
  const bool dark = theme == Theme::dark;
  const char* text = dark ? "#e4e6e8" : "#1d2126";
  const char* faint = dark ? "#3a4149" : "#dde1e5";
  const char* line = dark ? "#8b949d" : "#6a737c";
  const json colors = dark ? json{"#56B4E9", "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#F0E442", "#5C8FD6"}
                           : json{"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"};
  return {
      {"background", dark ? "#15181b" : "#ffffff"},
      {"font", "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"},
      // Labels may extend beyond an axis by labelBound.
      {"padding", {{"left", 4}, {"top", 4}, {"right", 18}, {"bottom", 4}}},
      {"view", {{"stroke", nullptr}}},
      {"title", {{"color", text}, {"anchor", "start"}, {"fontSize", 14}, {"subtitleColor", line}}},
      {"axis",
       {{"labelColor", text},
        {"titleColor", text},
        {"gridColor", faint},
        {"domainColor", line},
        {"tickColor", line},
        {"labelFontSize", 11},
        {"labelLimit", 340},
        {"labelBound", 16},
        {"titleFontSize", 12},
        {"titleFontWeight", "normal"}}},
      {"legend",
       {{"labelColor", text},
        {"titleColor", text},
        {"orient", "bottom"},
        {"direction", "vertical"},
        {"columns", 1},
        {"labelFontSize", 11},
        {"labelLimit", 600},
        {"symbolType", "square"},
        {"title", nullptr}}},
      {"range", {{"category", colors}, {"heatmap", {{"scheme", "viridis"}}}}},
      {"rule", {{"color", line}}},
      {"tick", {{"color", text}}},
      {"text", {{"color", text}, {"fontSize", 11}}},
  };
}

Chart chart_frame(const ChartName& name, std::string description, json values) {
  Chart chart{name, std::move(description), {}};
  chart.marks = chart.points = values.size();
  chart.spec = {{"$schema", kSchema},   {"title", name.title}, {"description", chart.description},
                {"width", "container"}, {"height", 300},       {"config", theme_config(Theme::light)}};
  chart.spec["data"]["values"] = std::move(values);
  return chart;
}

json series_color(const std::vector<std::string>& names) {
  return {{"field", "series"}, {"type", "nominal"}, {"scale", {{"domain", names}}}, {"legend", {{"title", nullptr}}}};
}

json source_shape(std::span<const Series> series) {
  return {{"field", "source"},
          {"type", "nominal"},
          {"scale", {{"domain", source_names()}, {"range", {"circle", "triangle-up", "diamond"}}}},
          {"legend", source_legend(series)}};
}

json source_dash(std::span<const Series> series) {
  return {{"field", "source"},
          {"type", "nominal"},
          {"scale",
           {{"domain", source_names()}, {"range", json::array({json::array({1, 0}), json::array({2, 2}), json::array({8, 4})})}}},
          {"legend", source_legend(series)}};
}

json series_selection() {
  return {{"name", "shown"}, {"select", {{"type", "point"}, {"fields", {"series"}}}}, {"bind", "legend"}};
}

json zoom_selection(const json& axes) {
  return {{"name", "zoom"},
          {"select", {{"type", "interval"}, {"encodings", axes}, {"zoom", "wheel![event.ctrlKey]"}}},
          {"bind", "scales"}};
}

json selected_opacity(double selected) { return {{"condition", {{"param", "shown"}, {"value", selected}}}, {"value", 0.06}}; }

json tooltip(const std::vector<std::pair<const char*, std::string>>& titles) {
  json fields = json::array();
  for (const auto& [field, title] : titles) {
    fields.push_back({{"field", field}});
    if (!title.empty()) fields.back()["title"] = title;
  }
  return fields;
}

json cell_color(const char* field, const std::string& title) {
  return {{"field", field},
          {"type", "quantitative"},
          {"scale", {{"scheme", "viridis"}, {"zero", false}}},
          {"legend", {{"title", title}, {"orient", "bottom"}, {"direction", "horizontal"}, {"gradientLength", 200}}}};
}

json cell_axis(const char* field, const std::string& title) {
  return {{"field", field},
          {"type", "ordinal"},
          {"axis", {{"title", title}, {"labelOverlap", true}, {"labelAngle", 0}, {"grid", false}}}};
}

std::string bytes_expression(const std::string& value) {
  return fmt::format(
      "{0} >= 1073741824 ? format({0} / 1073741824, '.3~r') + ' GiB' : {0} >= 1048576 ? format({0} / 1048576, '.3~r') + ' MiB' : "
      "{0} >= 1024 ? format({0} / 1024, '.3~r') + ' KiB' : format({0}, '.3~r') + ' B'",
      value);
}

json bytes_axis(const std::string& title) {
  return {{"title", title},
          {"labelExpr", bytes_expression("datum.value")},
          {"labelOverlap", true},
          {"labelFlush", true},
          {"tickCount", 8}};
}

double middle(std::vector<double>& values) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

std::string digits(double value) { return std::abs(value) >= 1000 ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value); }

double drawn(double value) {
  if (value == 0 || !std::isfinite(value)) return 0;
  const double scale = std::pow(10.0, 4 - std::floor(std::log10(std::abs(value))));
  return std::isfinite(scale) ? std::round(value * scale) / scale : value;
}

}  // namespace percycle
