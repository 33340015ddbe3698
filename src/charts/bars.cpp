#include "charts/bars.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "charts/theme.hpp"
#include "core/figures.hpp"
#include "report/efficiency.hpp"

namespace percycle {
namespace {

using nlohmann::json;

// Heights in pixels: of the rows of several devices, and of one.
constexpr std::size_t kDenseRow = 14;
constexpr std::size_t kLoneRow = 24;

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

std::string describe(const std::string& value_title, const std::vector<Bar>& bars) {
  std::string text = fmt::format("{}, {} bars.", value_title, bars.size());
  for (const Bar& bar : bars) {
    text += fmt::format(" {}, {}: {}", bar.question, bar.series, digits(bar.value));
    if (bar.limit) text += fmt::format(" of at most {}", digits(*bar.limit));
    text += bar.label.empty() ? "." : fmt::format(" ({}).", bar.label);
  }
  return text;
}

/// "127.5 (99.6 %)", "64 (100.0 %), simulated".
std::string end_text(const Bar& bar) {
  std::string text = digits(bar.value);
  if (!bar.label.empty()) text += fmt::format(" ({})", bar.label);
  if (bar.source != Source::measured) text += fmt::format(", {}", to_string(bar.source));
  return text;
}

/// The rows of a chart from the top: the bars of a question together, in the order of `series`.
/// Rows of several devices have a gap between two questions. A row's name is its question, a mark
/// and a number, because a question may have several rows but only one label.
class Rows {
 public:
  Rows(const std::vector<Bar>& bars, const std::vector<std::string>& series) {
    std::vector<std::string> questions;
    for (const Bar& bar : bars) add_once(questions, bar.question);
    for (const std::string& question : questions) {
      if (series.size() > 1 && !names_.empty()) names_.push_back(kMark + question);
      const std::size_t first = names_.size();
      for (const std::string& one : series) {
        const auto asks = [&](const Bar& bar) { return bar.question == question && bar.series == one; };
        if (std::none_of(bars.begin(), bars.end(), asks)) continue;
        places_[{question, one}] = names_.size();
        names_.push_back(fmt::format("{}{}{}", broken(question), kMark, names_.size() - first));
      }
      labelled_.push_back(names_[first + (names_.size() - first - 1) / 2]);
    }
  }

  const std::string& name_of(const Bar& bar) const { return names_[places_.at({bar.question, bar.series})]; }
  std::size_t count() const { return names_.size(); }

  /// The rows that show the label of their question, as a parameter of the chart.
  json labelled() const { return {{"name", "labelled"}, {"value", labelled_}}; }

  json axis() const {
    const std::string label =
        fmt::format("indexof(labelled, datum.value) < 0 ? '' : split(split(datum.value, '{}')[0], '{}')", kMark, kBreak);
    return {{"field", "row"},
            {"type", "nominal"},
            {"scale", {{"domain", names_}, {"paddingInner", 0.1}, {"paddingOuter", 0.2}}},
            {"axis", {{"title", nullptr}, {"labelExpr", label}, {"ticks", false}}}};
  }

 private:
  static constexpr const char* kMark = "\u2063";   // an invisible separator
  static constexpr const char* kBreak = "\u2064";  // invisible: a label goes on in a second line
  static constexpr std::size_t kLongLabel = 50;

  /// A long question with a break between two of its parameters.
  static std::string broken(std::string question) {
    if (question.size() <= kLongLabel) return question;
    const std::size_t comma = question.find(", ", question.size() / 2);
    return comma == std::string::npos ? question : question.insert(comma + 2, kBreak);
  }

  std::vector<std::string> names_;
  std::vector<std::string> labelled_;
  std::map<std::pair<std::string, std::string>, std::size_t> places_;
};

/// The figure that a row is drawn by. Documents give net times without a control.
std::string_view drawn_figure(const ReportDevice& device, std::string_view figure_name) {
  const bool is_net = device.source == Source::published && figure_name.starts_with("net_");
  return is_net ? figure_name.substr(4) : figure_name;
}

/// Whether the share of a row's limit is one of this figure: energy has none.
bool is_shared(const PointRow& row, std::string_view figure_name) {
  const std::string_view main = main_figure(row);
  return main == figure_name || figure_called(main).in_cycles == figure_name;
}

constexpr std::size_t kMostQuestions = 40;  // per bar chart

/// The name of a row's bars: its device and, if values are paired in the chart, its value.
std::string series_of(const ReportDevice& device, const PointRow& row, const std::string& pair) {
  const bool has_value = !pair.empty() && find_parameter(row, pair) != nullptr;
  return has_value ? fmt::format("{}, {}", device.label, chart_words(row, {pair})) : device.label;
}

/// Whether the points of a measured device differ in the parameter that the plan pairs.
bool has_pairs(const std::vector<DeviceRows>& devices, const BarChart& plan) {
  return std::ranges::any_of(devices, [&](const DeviceRows& drawn) {
    const auto varying = varying_parameters(drawn.second, {});
    return drawn.first->source != Source::published && std::ranges::find(varying, plan.pair) != varying.end();
  });
}

bool has_drawn_spread(const Bar& bar) { return drawn_spread(bar.spread_percent) > 0; }

json spread_layer() {
  return {{"mark", {{"type", "rule"}, {"strokeWidth", 2}}},
          {"encoding",
           {{"x", {{"field", "low"}, {"type", "quantitative"}}}, {"x2", {{"field", "high"}}}, {"opacity", selected_opacity(1)}}}};
}

json bar_values(const std::vector<Bar>& bars, const Rows& rows) {
  json values = json::array();
  const bool has_ends = std::ranges::any_of(bars, has_drawn_spread);
  for (const Bar& bar : bars) {
    values.push_back({{"question", bar.question},
                      {"row", rows.name_of(bar)},
                      {"series", bar.series},
                      {"source", to_string(bar.source)},
                      {"value", drawn(bar.value)},
                      {"label", bar.label},
                      {"text", end_text(bar)}});
    if (bar.limit) values.back()["limit"] = drawn(*bar.limit);
    if (has_ends) add_ends(values.back(), bar.value, bar.spread_percent);
  }
  return values;
}

/// The bars, the texts at their ends, and their limits if they have any.
json bar_layers(const std::string& value_title, const std::vector<std::string>& series, bool has_limits, const json& scale) {
  json top_color = series_color(series);
  top_color["legend"]["orient"] = "top";
  const json titles = tooltip(
      {{"series", ""}, {"question", ""}, {"source", ""}, {"value", value_title}, {"limit", "limit"}, {"label", "of the limit"}});
  const std::string x_title = value_title + (has_limits ? " (line: the limit)" : "");
  const json ticks = {{"expr", "clamp(width / 50, 2, 10)"}};
  json layers = json::array(
      {{{"mark", {{"type", "bar"}, {"strokeWidth", 1}}},
        {"params", json::array({series_selection()})},
        {"encoding",
         {{"x",
           {{"field", "value"},
            {"type", "quantitative"},
            {"scale", scale},
            {"axis", {{"title", x_title}, {"titleAnchor", "start"}, {"orient", "top"}, {"tickCount", ticks}}}}},
          {"color", top_color},
          {"opacity", selected_opacity(1)},
          {"tooltip", titles}}}},
       {{"mark", {{"type", "text"}, {"align", "left"}, {"dx", 5}, {"baseline", "middle"}}},
        {"transform", json::array({{{"calculate", "max(datum.value, datum.limit || 0, datum.high || 0)"}, {"as", "end"}}})},
        {"encoding",
         {{"x", {{"field", "end"}, {"type", "quantitative"}}},
          {"text", {{"field", "text"}}},
          {"opacity", selected_opacity(1)}}}}});
  if (has_limits) {
    layers.push_back({{"mark", {{"type", "tick"}, {"thickness", 2}}},
                      {"transform", json::array({{{"filter", "isValid(datum.limit)"}}})},
                      {"encoding", {{"x", {{"field", "limit"}, {"type", "quantitative"}}}, {"tooltip", titles}}}});
  }
  return layers;
}

/// The bars of the first kMostQuestions questions; the others are counted.
std::pair<std::vector<Bar>, std::size_t> bars_of(const std::string& experiment, const std::vector<DeviceRows>& devices,
                                                 const BarChart& plan, std::string_view y) {
  std::vector<std::string> names = varying_parameters(together(devices), {"footprint"});
  std::erase(names, plan.pair);
  std::vector<Bar> bars;
  std::set<std::string> questions;
  std::set<std::string> left_out;
  for (const auto& [device, rows] : devices) {
    for (const PointRow* row : rows) {
      const std::string words = chart_words(*row, names);
      const std::string question = words.empty() ? experiment : words;
      if (questions.size() == kMostQuestions && !questions.contains(question)) {
        left_out.insert(question);
        continue;
      }
      questions.insert(question);
      const auto efficiency = is_shared(*row, y) ? figure(*row, figures::kEfficiency) : std::nullopt;
      bars.push_back({.question = question,
                      .series = series_of(*device, *row, plan.pair),
                      .source = device->source,
                      .value = figure(*row, drawn_figure(*device, y)).value(),
                      .limit = figure(*row, figure_called(y).limit),
                      .label = efficiency ? fmt::format("{:.1f} %", *efficiency) : std::string(),
                      .spread_percent = is_shared(*row, y) ? figure(*row, figures::kMadPercent) : std::nullopt});
    }
  }
  return {std::move(bars), left_out.size()};
}

/// A row of bars per question, in charts of at most kMostSeries series.
void add_bars(std::vector<Chart>& charts, const std::string& experiment, const std::vector<DeviceRows>& devices,
              const BarChart& plan, const ChartName& group) {
  const std::string_view y = figure_of(devices, plan.y);
  if (y.empty()) return;
  std::vector<DeviceRows> best;
  std::optional<double> highest;
  for (const auto& [device, rows] : devices) {
    auto kept = best_of_footprints(rows, drawn_figure(*device, y));
    for (const PointRow* row : kept)
      highest = std::max({highest, figure(*row, drawn_figure(*device, y)), figure(*row, figure_called(y).limit)});
    if (!kept.empty()) best.emplace_back(device, std::move(kept));
  }
  const std::string y_title = figure_words(experiment, best, y);
  const ChartName name{experiment + "-bars" + (plan.name.empty() ? "" : "-" + plan.name),
                       fmt::format("{} in {}", plan.title.empty() ? presentation_of(experiment).title : plan.title, y_title)};
  const auto parts = parts_of(best.size(), plan.pair.empty() ? kMostSeries : kMostSeries / 2);
  for (const ChartPart& part : parts) {
    const auto first = best.begin() + static_cast<std::ptrdiff_t>(part.first);
    const auto [bars, left_out] = bars_of(experiment, {first, first + static_cast<std::ptrdiff_t>(part.count)}, plan, y);
    const ChartName more{"", left_out == 0 ? "" : fmt::format(" ({} more in the table)", left_out)};
    charts.push_back(bar_chart(name + group + part.end + more, y_title, bars, parts.size() > 1 ? highest : std::nullopt));
    if (std::string without = without_words(devices, y, y_title); !without.empty())
      charts.back().remarks.push_back(std::move(without));
  }
}

}  // namespace

double drawn_spread(std::optional<double> percent) {
  constexpr double kLeastSpread = 0.1;
  return percent && *percent >= kLeastSpread ? *percent : 0;
}

void add_ends(json& data, double value, std::optional<double> spread_percent) {
  const double share = drawn_spread(spread_percent) / 100;
  data["low"] = drawn(value * std::max(0.0, 1 - share));
  data["high"] = drawn(value * (1 + share));
}

Chart bar_chart(const ChartName& name, const std::string& value_title, const std::vector<Bar>& bars,
                std::optional<double> highest) {
  std::vector<std::string> series;
  for (const Bar& bar : bars) add_once(series, bar.series);
  const Rows rows(bars, series);
  Chart chart = chart_frame(name, describe(value_title, bars), bar_values(bars, rows));
  // In pixels. The width fills its page, and Vega-Lite then allows no height by steps.
  chart.spec["height"] = (series.size() > 1 ? kDenseRow : kLoneRow) * rows.count();
  // Narrow screens would cut the values at the ends of the longest bars.
  chart.spec["padding"] = {{"left", 4}, {"top", 4}, {"right", 48}, {"bottom", 4}};
  chart.spec["params"] = json::array({rows.labelled()});
  chart.spec["encoding"] = {{"y", rows.axis()}};
  const bool has_limits = std::any_of(bars.begin(), bars.end(), [](const Bar& bar) { return bar.limit.has_value(); });
  json scale = json::object();
  if (highest) scale = {{"domain", {0, drawn(*highest)}}, {"nice", true}};
  chart.spec["layer"] = bar_layers(value_title, series, has_limits, scale);
  if (std::ranges::any_of(bars, has_drawn_spread)) {
    chart.spec["layer"].push_back(spread_layer());
    chart.remarks.push_back(kSpreadRemark);
  }
  return chart;
}

void add_bar_charts(std::vector<Chart>& charts, const std::string& experiment, const std::vector<DeviceRows>& devices,
                    BarChart plan, const ChartName& group) {
  if (!plan.pair.empty() && has_pairs(devices, plan)) {
    std::erase(plan.split, plan.pair);
  } else {
    plan.pair.clear();
  }
  const std::vector<DeviceRows> drawn = rows_that(devices, [&](const ReportDevice&, const PointRow& row) {
    return std::ranges::none_of(plan.without, [&](const std::string& name) { return find_parameter(row, name) != nullptr; });
  });
  for (const auto& [key, rows] : split_by(drawn, plan.split))
    add_bars(charts, experiment, rows, plan, with_values(group, key, split_words(rows, plan.split)));
}

}  // namespace percycle
