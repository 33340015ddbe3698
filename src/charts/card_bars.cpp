#include "charts/card_bars.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "charts/bars.hpp"
#include "charts/theme.hpp"
#include "core/figures.hpp"
#include "core/source.hpp"

namespace percycle {
namespace {

using nlohmann::json;

// In pixels: a bar with its gap, the axis and the legend above them, and the text behind a bar.
constexpr std::size_t kBarRow = 17;
constexpr std::size_t kFewestRows = 4;
constexpr std::size_t kTextRoom = 96;
constexpr std::size_t kMostNames = 12;

constexpr const char* kCpu = "measured on a CPU";

/// A bar of the chart.
struct CardBar {
  std::string card;    ///< with its API if its APIs differ
  std::string device;  ///< the label of its device
  std::string kind;    ///< its colour
  double value = 0;
  std::optional<double> limit{};
  std::string share{};
  std::optional<double> spread_percent{};
};

std::string kind_of(const ReportDevice* device) {
  if (!device) return std::string(to_string(Source::measured));
  const bool is_cpu = device->source == Source::measured && device->header().device.type == DeviceType::cpu;
  return is_cpu ? kCpu : std::string(to_string(device->source));
}

CardBar bar_of(const std::string& column, const KeyValue& value, bool names_api) {
  CardBar bar{.card = column, .device = column, .kind = kind_of(value.device), .value = value.value};
  if (value.device) {
    if (!value.device->label.empty()) bar.device = value.device->label;
    if (names_api) bar.card += fmt::format(", {}", api_words(value.device->header().device.api));
  }
  if (value.share_percent) {
    bar.limit = 100 * value.value / *value.share_percent;
    bar.share = fmt::format("{:.1f} %", *value.share_percent);
  }
  if (value.row) bar.spread_percent = figure(*value.row, figures::kMadPercent);
  return bar;
}

/// A value in another unit than the row's has no bar.
std::vector<CardBar> bars_of_row(const KeyFigures& figures, const KeyRow& row) {
  std::vector<CardBar> bars;
  for (std::size_t i = 0; i < row.cells.size(); ++i) {
    const KeyCell& cell = row.cells[i];
    for (const auto* value : {&cell.value, &cell.other}) {
      if (*value && (*value)->unit.empty()) bars.push_back(bar_of(figures.columns[i], **value, cell.other.has_value()));
    }
  }
  std::ranges::stable_sort(bars, [&](const CardBar& a, const CardBar& b) {
    return row.better == Direction::lower ? a.value < b.value : a.value > b.value;
  });
  return bars;
}

/// The unit as words for an axis.
std::string axis_unit(const KeyRow& row) {
  if (row.figure == figures::kBytesPerUnitCycle) return unit_text::kBytesPerUnitCycle;
  if (row.figure == figures::kOpsPerUnitCycle) return unit_text::kOperationsPerUnitCycle;
  return row.unit;
}

bool is_per_cycle(const KeyRow& row) {
  return row.figure == figures::kBytesPerUnitCycle || row.figure == figures::kOpsPerUnitCycle;
}

bool is_in_bytes(const KeyRow& row) { return row.figure != kUnitsFigure && row.better == Direction::neither; }

/// The row with its numbers of bytes or operations in a unit that fits the largest.
KeyRow in_fitting_unit(KeyRow row) {
  const bool is_rate = row.unit == figure_unit(figures::kGopsPerS);
  if (!is_in_bytes(row) && !is_rate) return row;
  double largest = 0;
  for (const KeyCell& cell : row.cells) largest = std::max(largest, cell.value ? cell.value->value : 0);
  using Unit = std::pair<double, const char*>;
  const std::vector<Unit> units =
      is_rate ? std::vector<Unit>{{1000, "Tops/s"}} : std::vector<Unit>{{1 << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}};
  const auto fitting = std::ranges::find_if(units, [&](const auto& unit) { return largest >= unit.first; });
  if (!is_rate) row.unit = "B";
  if (fitting == units.end()) return row;
  row.unit = fitting->second;
  for (KeyCell& cell : row.cells) {
    for (auto* value : {&cell.value, &cell.other}) {
      if (*value) (*value)->value /= fitting->first;
    }
  }
  return row;
}

/// "cards-l1-per-cycle", "cards-l1-latency-ns", "cards-l1-size": a page shows the latencies of one
/// unit.
std::string file_name(const KeyRow& row) {
  std::string name = "cards-";
  for (const char c : row.name) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte)) {
      name += static_cast<char>(std::tolower(byte));
    } else if (name.back() != '-') {
      name += '-';
    }
  }
  if (is_in_bytes(row)) return name;
  if (row.better != Direction::lower) return name + (is_per_cycle(row) ? "-per-cycle" : "-per-second");
  return name + '-' + row.unit;
}

/// Paths and parts in words for people: "latency of the L1, read by index".
std::string title_words(std::string words) {
  static constexpr std::string_view kIndex = "global-index ";
  static constexpr std::string_view kFar = " far";
  if (const std::size_t at = words.find(kFar); at != std::string::npos) words.replace(at, kFar.size(), " in its far part");
  if (const std::size_t at = words.find(kIndex); at != std::string::npos)
    words = words.erase(at, kIndex.size()) + ", read by index";
  return words;
}

std::string chart_title(const KeyRow& row) {
  std::string words = title_words(row.words.empty() ? row.name : row.words);
  words.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(words.front())));
  return fmt::format("{}, in {}", words, axis_unit(row));
}

std::string bar_text(const CardBar& bar) {
  return bar.share.empty() ? digits(bar.value) : fmt::format("{} ({})", digits(bar.value), bar.share);
}

std::string card_bars_in_words(const std::string& title, const std::vector<CardBar>& bars, bool is_size) {
  std::string text = title + (is_size ? ", the largest first:" : ", the best first:");
  for (const CardBar& bar : bars) text += fmt::format("{} {} {}", &bar == &bars.front() ? "" : ";", bar.card, bar_text(bar));
  return text + '.';
}

bool has_spread(const CardBar& bar) { return drawn_spread(bar.spread_percent) > 0; }

json card_bar_values(const std::vector<CardBar>& bars) {
  json values = json::array();
  const bool has_ends = std::ranges::any_of(bars, has_spread);
  for (const CardBar& bar : bars) {
    values.push_back({{"card", bar.card},
                      {"series", bar.device},
                      {"kind", bar.kind},
                      {"value", drawn(bar.value)},
                      {"share", bar.share},
                      {"text", bar_text(bar)}});
    if (bar.limit) values.back()["limit"] = drawn(*bar.limit);
    if (has_ends) add_ends(values.back(), bar.value, bar.spread_percent);
  }
  return values;
}

bool has_limit(const CardBar& bar) { return bar.limit.has_value(); }

/// The colours of the kinds, in one order for all charts. The legend names those of this one.
json kind_color(const std::vector<CardBar>& bars) {
  json kinds = json::array();
  json shown = json::array();
  for (const std::string_view kind :
       {to_string(Source::measured), to_string(Source::published), std::string_view(kCpu), to_string(Source::simulated)}) {
    kinds.push_back(kind);
    if (std::ranges::find(bars, kind, &CardBar::kind) != bars.end()) shown.push_back(kind);
  }
  json legend = nullptr;
  if (shown.size() > 1)
    legend = {{"title", nullptr}, {"orient", "top"}, {"direction", "horizontal"}, {"columns", 4}, {"values", shown}};
  return {{"field", "kind"}, {"type", "nominal"}, {"scale", {{"domain", kinds}}}, {"legend", legend}};
}

json number_field(const char* field) { return {{"field", field}, {"type", "quantitative"}}; }

json with_field(const char* field) { return json::array({{{"filter", fmt::format("isValid(datum.{})", field)}}}); }

/// Bars, the texts behind them, and the marks of limits and spreads.
json card_bar_layers(const KeyRow& row, const std::vector<CardBar>& bars) {
  double highest = 0;
  for (const CardBar& bar : bars) highest = std::max({highest, bar.value, bar.limit.value_or(0)});
  const bool has_limits = std::ranges::any_of(bars, has_limit);
  const std::string title = axis_unit(row) + (has_limits ? " (line: the limit)" : "");
  json x = number_field("value");
  x["scale"] = {{"domain", {0, drawn(highest * 1.02)}}, {"nice", false}};
  x["axis"] = {
      {"title", title}, {"titleAnchor", "start"}, {"orient", "top"}, {"tickCount", {{"expr", "clamp(width / 60, 2, 10)"}}}};
  const json tips =
      tooltip({{"card", ""}, {"kind", "source"}, {"value", axis_unit(row)}, {"limit", "limit"}, {"share", "of the limit"}});
  json layers =
      json::array({{{"mark", {{"type", "bar"}}}, {"encoding", {{"x", x}, {"color", kind_color(bars)}, {"tooltip", tips}}}}});
  if (std::ranges::any_of(bars, has_spread)) {
    layers.push_back({{"mark", {{"type", "rule"}, {"strokeWidth", 2}}},
                      {"encoding", {{"x", number_field("low")}, {"x2", {{"field", "high"}}}}}});
  }
  if (has_limits) {
    layers.push_back({{"mark", {{"type", "tick"}, {"thickness", 2}}},
                      {"transform", with_field("limit")},
                      {"encoding", {{"x", number_field("limit")}, {"tooltip", tips}}}});
  }
  const std::string end = "max(datum.value, isValid(datum.limit) ? datum.limit : 0, isValid(datum.high) ? datum.high : 0)";
  layers.push_back({{"mark", {{"type", "text"}, {"align", "left"}, {"dx", 5}, {"baseline", "middle"}}},
                    {"transform", json::array({{{"calculate", end}, {"as", "end"}}})},
                    {"encoding", {{"x", number_field("end")}, {"text", {{"field", "text"}}}}}});
  return layers;
}

bool has_value(const KeyRow& row, std::size_t column) { return row.cells[column].value && row.cells[column].value->unit.empty(); }

bool is_document(const KeyFigures& figures, std::size_t column) {
  return std::ranges::any_of(figures.rows, [&](const KeyRow& row) {
    const auto& value = row.cells[column].value;
    return value && value->device && value->device->source == Source::published;
  });
}

/// The names; of many only those of cards that were measured, and the number of the others.
std::string listed(const KeyFigures& figures, const std::vector<std::size_t>& columns) {
  std::vector<std::string> names;
  std::size_t documents = 0;
  for (const std::size_t i : columns) {
    const bool is_counted = columns.size() > kMostNames && is_document(figures, i);
    if (is_counted)
      ++documents;
    else
      names.push_back(figures.columns[i]);
  }
  if (documents > 0) names.push_back(fmt::format("{} of documents", documents));
  return fmt::format("{}", fmt::join(names, ", "));
}

/// The reason as a heading.
std::string gap_heading(std::string gap) {
  if (gap.empty()) return "Without this figure";
  gap.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(gap.front())));
  return gap;
}

/// Sentences that name the cards without the figure, one for each reason.
std::vector<std::string> missing_remarks(const KeyFigures& figures, const KeyRow& row) {
  std::vector<std::size_t> in_other_form;
  std::map<std::string, std::vector<std::size_t>> missing;  // by reason
  for (std::size_t i = 0; i < figures.columns.size(); ++i) {
    if (has_value(row, i)) continue;
    const bool is_known = std::ranges::any_of(figures.rows, [&](const KeyRow& each) {
      return each.name == row.name && each.figure != row.figure && has_value(each, i);
    });
    (is_known ? in_other_form : missing[row.cells[i].gap]).push_back(i);
  }
  const bool is_in_cycles = is_per_cycle(row) || row.unit == unit_text::kCycles;
  std::vector<std::string> remarks;
  if (!in_other_form.empty())
    remarks.push_back(
        fmt::format("{}: {}.", is_in_cycles ? "Without cycles" : "Known in cycles only", listed(figures, in_other_form)));
  for (const auto& [gap, columns] : missing)
    remarks.push_back(fmt::format("{} ({}).", gap_heading(gap), listed(figures, columns)));
  return remarks;
}

}  // namespace

Chart card_bars(const KeyFigures& figures, const KeyRow& raw_row) {
  const KeyRow row = in_fitting_unit(raw_row);
  const std::vector<CardBar> bars = bars_of_row(figures, row);
  const std::string title = chart_title(row);
  Chart chart = chart_frame({file_name(row), title}, card_bars_in_words(title, bars, is_in_bytes(row)), card_bar_values(bars));
  chart.spec["height"] = kBarRow * std::max(kFewestRows, bars.size());
  // The longest bar has its text beside the plot.
  chart.spec["padding"] = {{"left", 4}, {"top", 4}, {"right", kTextRoom}, {"bottom", 4}};
  json names = json::array();
  for (const CardBar& bar : bars) names.push_back(bar.card);
  chart.spec["encoding"]["y"] = {{"field", "card"},
                                 {"type", "nominal"},
                                 {"scale", {{"domain", std::move(names)}, {"paddingInner", 0.15}, {"paddingOuter", 0.1}}},
                                 {"axis", {{"title", nullptr}, {"ticks", false}}}};
  chart.spec["layer"] = card_bar_layers(row, bars);
  chart.remarks = missing_remarks(figures, row);
  if (std::ranges::any_of(bars, has_spread)) chart.remarks.insert(chart.remarks.begin(), kSpreadRemark);
  return chart;
}

std::vector<Chart> card_bar_charts(const KeyFigures& figures) {
  std::vector<const KeyRow*> rows;
  for (const KeyRow& row : figures.rows) {
    if (row.figure != kUnitsFigure && bars_of_row(figures, row).size() > 1) rows.push_back(&row);
  }
  // Rates, latencies, then sizes. A rate per cycle stands before the same per second.
  const auto group = [](const KeyRow& row) { return row.better == Direction::lower ? 1 : is_in_bytes(row) ? 2 : 0; };
  const std::vector<const KeyRow*> in_table = rows;
  std::ranges::stable_sort(rows, {}, [&](const KeyRow* row) {
    const auto first = std::ranges::find(in_table, row->name, &KeyRow::name);
    return std::tuple(group(*row), first - in_table.begin(), !is_per_cycle(*row));
  });
  std::vector<Chart> charts;
  for (const KeyRow* row : rows) charts.push_back(card_bars(figures, *row));
  return charts;
}

}  // namespace percycle
