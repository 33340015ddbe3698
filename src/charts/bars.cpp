#include "charts/bars.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "charts/theme.hpp"

namespace percycle {
namespace {

using nlohmann::json;

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

std::string describe(const BarStyle& style, const std::vector<Bar>& bars) {
  std::string text = fmt::format("{}, {} bars.", style.value_title, bars.size());
  for (const Bar& bar : bars) {
    text += fmt::format(" {}, {}: {:.4g}", bar.question, bar.series, bar.value);
    if (bar.limit) text += fmt::format(" of at most {:.4g}", *bar.limit);
    text += bar.label.empty() ? "." : fmt::format(" ({}).", bar.label);
  }
  return text;
}

/// "127.5 (99.6 %)", "64 (100.0 %), simulated".
std::string end_text(const Bar& bar) {
  std::string text = fmt::format("{:.4g}", bar.value);
  if (!bar.label.empty()) text += fmt::format(" ({})", bar.label);
  if (bar.source != Source::measured) text += fmt::format(", {}", to_string(bar.source));
  return text;
}

}  // namespace

Chart bar_chart(const BarStyle& style, const std::vector<Bar>& bars) {
  Chart chart{.name = style.name, .title = style.title, .description = describe(style, bars), .spec = {}};
  json values = json::array();
  std::vector<std::string> series;
  std::vector<std::string> questions;
  std::vector<Series> sources;
  for (const Bar& bar : bars) {
    add_once(series, bar.series);
    add_once(questions, bar.question);
    sources.push_back({.name = {}, .source = bar.source, .points = {}});
    json value = {{"what", bar.question},      {"series", bar.series}, {"source", to_string(bar.source)},
                  {"value", drawn(bar.value)}, {"label", bar.label},   {"text", end_text(bar)}};
    if (bar.limit) value["limit"] = drawn(*bar.limit);
    values.push_back(std::move(value));
  }
  chart.marks = chart.points = values.size();

  const json y = {{"field", "what"}, {"type", "nominal"}, {"sort", questions}, {"axis", {{"title", nullptr}}}};
  const json offset = {{"field", "series"}, {"sort", series}};
  const json place = {{"y", y}, {"yOffset", offset}};
  const auto with_place = [&](json encoding) {
    encoding.update(place);
    return encoding;
  };
  json top_color = series_color(series);
  top_color["legend"]["orient"] = "top";
  const json tooltip = {{{"field", "series"}},
                        {{"field", "what"}, {"title", "what"}},
                        {{"field", "source"}},
                        {{"field", "value"}, {"title", style.value_title}},
                        {{"field", "limit"}, {"title", "limit"}},
                        {{"field", "label"}, {"title", "of the limit"}}};
  chart.spec = chart_frame(style.title, chart.description);
  // In pixels. The width fills its page, and Vega-Lite then allows no height by steps.
  const std::size_t step = series.size() > 1 ? 14 * series.size() + 10 : 24;
  chart.spec["height"] = step * questions.size();
  // Narrow screens would cut the values at the ends of the longest bars.
  chart.spec["padding"] = {{"left", 4}, {"top", 4}, {"right", 48}, {"bottom", 4}};
  chart.spec["data"] = {{"values", values}};
  const bool has_limits = std::any_of(bars.begin(), bars.end(), [](const Bar& bar) { return bar.limit.has_value(); });
  const std::string x_title = style.value_title + (has_limits ? " (line: the limit)" : "");
  json layers = json::array(
      {{{"mark", {{"type", "bar"}, {"strokeWidth", 1}}},
        {"params", json::array({series_selection()})},
        {"encoding",
         with_place({{"x", {{"field", "value"}, {"type", "quantitative"}, {"axis", {{"title", x_title}, {"orient", "top"}}}}},
                     {"color", top_color},
                     {"opacity", selected_opacity(1)},
                     {"tooltip", tooltip}})}},
       {{"mark", {{"type", "text"}, {"align", "left"}, {"dx", 5}, {"baseline", "middle"}}},
        {"transform", json::array({{{"calculate", "max(datum.value, isValid(datum.limit) ? datum.limit : 0)"}, {"as", "end"}}})},
        {"encoding", with_place({{"x", {{"field", "end"}, {"type", "quantitative"}}},
                                 {"text", {{"field", "text"}}},
                                 {"opacity", selected_opacity(1)}})}}});
  if (has_limits) {
    layers.push_back({{"mark", {{"type", "tick"}, {"thickness", 2}}},
                      {"transform", json::array({{{"filter", "isValid(datum.limit)"}}})},
                      {"encoding", with_place({{"x", {{"field", "limit"}, {"type", "quantitative"}}}, {"tooltip", tooltip}})}});
  }
  chart.spec["layer"] = layers;
  return chart;
}

}  // namespace percycle
