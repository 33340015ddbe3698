#include "html/device_overview.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "core/printable.hpp"
#include "core/units.hpp"
#include "report/card_columns.hpp"
#include "report/key_figures_text.hpp"
#include "report/summary_figures.hpp"

namespace percycle {
namespace {

using nlohmann::json;

/// A row with the cells of its cards.
struct OverviewRow {
  std::string label;
  json cells;
};

/// Graphics cards first, then CPUs, then documents.
int rank(const ReportDevice& device) {
  if (device.source == Source::published) return 2;
  return device.header().device.type == DeviceType::cpu ? 1 : 0;
}

constexpr std::size_t kMostWords = 3;       // of a list in the head of a page
constexpr std::size_t kLongestFacts = 600;  // of that head

/// "a; b; c and 2 more".
std::string few_words(const std::set<std::string>& words) {
  std::vector<std::string> some(words.begin(), words.end());
  const std::size_t left_out = some.size() - std::min(some.size(), kMostWords);
  some.resize(some.size() - left_out);
  const std::string text = fmt::format("{}", fmt::join(some, "; "));
  return left_out > 0 ? fmt::format("{} and {} more", text, left_out) : text;
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

/// "132 SM", "212-231 KiB", "33.39*".
std::string value_text(const KeyRow& row, const KeyValue& value, bool is_best) {
  std::string text = key_value_words(row, value);
  if (row.figure == kUnitsFigure && value.device) text += ' ' + value.device->unit_name;
  return printable(text + (is_best ? "*" : ""));
}

json overview_cell(const KeyRow& row, const KeyCell& cell) {
  if (!cell.value) return nullptr;
  json made = {{"text", value_text(row, *cell.value, cell.is_best)},
               {"value", cell.value->value},
               {"share", key_share_words(*cell.value)}};
  if (cell.other) made["other"] = fmt::format("Vulkan {} {}", value_text(row, *cell.other, false), key_share_words(*cell.other));
  return made;
}

/// A row of texts, each of a card's devices once.
template <typename Words>
OverviewRow text_row(const char* label, const std::vector<KeyColumn>& columns, const Words& words) {
  OverviewRow row{label, json::array()};
  for (const KeyColumn& column : columns) {
    std::vector<std::string> texts;
    for (const ReportDevice* device : column.devices) {
      const std::string text = words(*device);
      if (!text.empty() && std::ranges::find(texts, text) == texts.end()) texts.push_back(text);
    }
    row.cells.push_back(texts.empty() ? json() : json{{"text", printable(fmt::format("{}", fmt::join(texts, "; ")))}});
  }
  return row;
}

std::string memory_size(const ReportDevice& device) {
  const auto& bytes = device.header().device.memory_bytes;
  return bytes && device.source == Source::measured ? format_bytes(*bytes) : std::string();
}

/// The rows of the table, those of the key figures first.
std::vector<OverviewRow> overview_rows(const KeyFigures& figures, const std::vector<KeyColumn>& columns) {
  std::vector<OverviewRow> rows;
  for (const KeyRow& row : figures.rows) {
    OverviewRow& made = rows.emplace_back(OverviewRow{key_label(row), json::array()});
    for (const KeyCell& cell : row.cells) made.cells.push_back(overview_cell(row, cell));
  }
  rows.push_back(text_row("memory size", columns, memory_size));
  rows.push_back(text_row("clock", columns, clock_words));
  rows.push_back(text_row("not measured", columns, [](const ReportDevice& device) { return missing_words(device.tally); }));
  const auto is_empty = [](const OverviewRow& row) {
    return std::ranges::all_of(row.cells, [](const json& cell) { return cell.is_null(); });
  };
  std::erase_if(rows, is_empty);
  return rows;
}

/// A document without a key figure has no column.
bool is_shown(const std::vector<OverviewRow>& rows, const std::vector<KeyColumn>& columns, std::size_t i) {
  return columns[i].devices.front()->source != Source::published ||
         std::ranges::any_of(rows, [&](const OverviewRow& row) { return !row.cells[i].is_null(); });
}

json card_data(const KeyColumn& column) {
  json devices = json::array();
  for (const ReportDevice* device : column.devices) devices.push_back(device->label);
  return {{"title", column.title}, {"slug", column.devices.front()->slug}, {"devices", std::move(devices)}};
}

}  // namespace

json device_overview(const ReportData& data) {
  std::vector<KeyColumn> columns = report_columns(data);
  std::ranges::stable_sort(columns, {}, [](const KeyColumn& column) { return rank(*column.devices.front()); });
  const KeyFigures figures = key_figures(columns);
  const std::vector<OverviewRow> rows = overview_rows(figures, columns);
  json cards = json::array();
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (!is_shown(rows, columns, i)) continue;
    shown.push_back(i);
    cards.push_back(card_data(columns[i]));
  }
  json list = json::array();
  for (const OverviewRow& row : rows) {
    json cells = json::array();
    for (const std::size_t i : shown) cells.push_back(row.cells[i]);
    list.push_back({{"label", row.label}, {"cells", std::move(cells)}});
  }
  return {{"cards", std::move(cards)}, {"rows", std::move(list)}, {"marks", marks_of(figures)}};
}

std::string run_facts(const ReportData& data) {
  std::set<std::string> days;
  std::set<std::string> systems;
  std::set<std::string> drivers;
  std::set<std::string> versions;
  std::set<std::string> presets;
  for (const ReportDevice& device : data.devices) {
    if (device.source == Source::published) continue;
    for (const ReportRun& run : device.runs) {
      days.insert(run.header.created.substr(0, std::string_view("2026-11-21").size()));
      systems.insert(run.header.os);
      drivers.insert(run.header.device.driver);
      versions.insert(run.header.tool_version);
      presets.insert(run.header.options.preset);
    }
  }
  if (days.empty()) return "Figures of documents: percycle measured none of them.";
  const std::string when = days.size() == 1 ? *days.begin() : fmt::format("{} to {}", *days.begin(), *days.rbegin());
  return printable(fmt::format("Measured {}. System: {}. Driver: {}. percycle {}, preset {}.", when, few_words(systems),
                               few_words(drivers), few_words(versions), few_words(presets)),
                   kLongestFacts);
}

}  // namespace percycle
