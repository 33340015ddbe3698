#include "html/device_overview.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "core/figures.hpp"
#include "core/printable.hpp"
#include "core/units.hpp"
#include "html/device_summary.hpp"
#include "report/hierarchy_text.hpp"
#include "report/summary_figures.hpp"

namespace percycle {
namespace {

using nlohmann::json;

/// A column with the cells of its devices.
struct Column {
  std::string title;
  std::map<std::size_t, json> cells;
};

json cell(const std::string& text, double value) { return {{"text", printable(text)}, {"value", value}}; }

constexpr const char* kMemorySize = "memory size";
/// The first columns; the others come as they are found.
constexpr std::array kFirstTitles{"units",     "first cache",          "caches behind it",
                                  kMemorySize, "local memory latency", "memory latency"};

/// Size and latency of the first level and of the others, and the latencies of memory, by title.
std::map<std::string, json> hierarchy_cells(const Hierarchy& hierarchy) {
  std::map<std::string, json> cells;
  const std::string path = main_path(hierarchy);
  std::string others;
  double others_bytes = 0;
  bool is_first = true;
  for (const HierarchyLevel& level : hierarchy.levels) {
    if (level.path != path) continue;
    const std::string size = doubt_words(level.confidence) + size_words(level);
    const std::string latency = doubt_words(level.latency_confidence) + latency_words(level.latency_cycles, level.latency_ns);
    const std::string words = fmt::format("{}, {}", size, latency);
    const auto bytes = static_cast<double>(level.size_bytes);
    if (is_first) {
      cells["first cache"] = cell(words, bytes);
    } else {
      others += fmt::format("{}{} {}", others.empty() ? "" : "; ", level.name, words);
      others_bytes = bytes;
    }
    is_first = false;
  }
  if (!others.empty()) cells["caches behind it"] = cell(others, others_bytes);
  for (const HierarchyMemory& one : hierarchy.memory) {
    const bool is_local = one.path == "local";
    if (!is_local && (one.path != path || !one.reached)) continue;
    cells[is_local ? "local memory latency" : "memory latency"] =
        cell(doubt_words(one.confidence) + latency_words(one.stated_cycles(), one.stated_ns()),
             one.stated_cycles().value_or(one.stated_ns()));
  }
  return cells;
}

/// Graphics cards first, then CPUs, then documents.
int rank(const ReportDevice& device) {
  if (device.source == Source::published) return 2;
  return device.header().device.type == DeviceType::cpu ? 1 : 0;
}

/// "12 unsupported, 3 failed"; empty if every point is ok.
std::string missing_words(const Tally& tally) {
  std::string text;
  for (const Status status : {Status::unsupported, Status::skipped, Status::failed, Status::invalid}) {
    const std::size_t count = tally.by_status.at(static_cast<std::size_t>(status));
    if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, to_string(status));
  }
  return text;
}

}  // namespace

json device_overview(const ReportData& data) {
  std::vector<std::size_t> order(data.devices.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return rank(data.devices[i]); });
  std::vector<Column> columns;
  for (const char* title : kFirstTitles) columns.push_back({title, {}});
  const auto set = [&](const std::string& title, std::size_t device, json cell) {
    auto column = std::ranges::find(columns, title, &Column::title);
    if (column == columns.end()) column = columns.insert(column, Column{title, {}});
    column->cells[device] = std::move(cell);
  };
  std::vector<std::pair<std::size_t, SummaryValue>> figures;  // by device
  for (const std::size_t i : order) {
    const ReportDevice& device = data.devices[i];
    if (const auto& units = device.header().device.units)
      set("units", i, cell(fmt::format("{} {}", units->value, device.unit_name), units->value));
    if (const auto& bytes = device.header().device.memory_bytes; bytes && device.source == Source::measured)
      set(kMemorySize, i, cell(format_bytes(*bytes), static_cast<double>(*bytes)));
    if (device.analysis) {
      for (auto& [title, cell] : hierarchy_cells(device.analysis->hierarchy)) set(title, i, std::move(cell));
    }
    for (SummaryValue& value : summary_figures(device)) figures.emplace_back(i, std::move(value));
  }
  std::ranges::stable_sort(figures, {}, [](const auto& figure) { return figure.second.place; });
  for (const auto& [i, value] : figures) set(fmt::format("{}: {}", value.line, value.name), i, cell(value.words, value.value));
  for (const std::size_t i : order) {
    const std::string clock = clock_words(data.devices[i]);
    if (!clock.empty()) set("clock", i, {{"text", clock}});
    const std::string missing = missing_words(data.devices[i].tally);
    if (!missing.empty()) set("not measured", i, {{"text", missing}});
  }
  std::erase_if(columns, [](const Column& column) { return column.cells.empty(); });
  json titles = json::array();
  for (const Column& column : columns) titles.push_back(column.title);
  json rows = json::array();
  for (const std::size_t i : order) {
    json cells = json::array();
    for (const Column& column : columns) cells.push_back(column.cells.contains(i) ? column.cells.at(i) : json());
    const bool is_empty = std::ranges::all_of(cells, [](const json& each) { return each.is_null(); });
    if (is_empty && data.devices[i].source == Source::published) continue;
    rows.push_back({{"device", data.devices[i].label}, {"cells", std::move(cells)}});
  }
  return {{"columns", std::move(titles)}, {"rows", std::move(rows)}};
}

}  // namespace percycle
