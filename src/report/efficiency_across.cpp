#include "report/efficiency_across.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "report/table_files.hpp"

namespace percycle {
namespace {

bool has_share(const KeyCell& cell) { return cell.value && cell.value->share_percent; }

/// "99.8 %", "99.8 % (vulkan 63.1 %)".
std::string share_cell(const KeyCell& cell) {
  std::string text = fmt::format("{:.1f} %", *cell.value->share_percent);
  if (cell.other && cell.other->share_percent && cell.other->device)
    text += fmt::format(" ({} {:.1f} %)", api_words(cell.other->device->header().device.api), *cell.other->share_percent);
  return text;
}

/// The names with shares.
std::vector<std::string> names_with_shares(const KeyFigures& figures) {
  std::vector<std::string> names;
  for (const KeyRow& row : figures.rows) {
    if (std::ranges::find(names, row.name) == names.end() && std::ranges::any_of(row.cells, has_share)) names.push_back(row.name);
  }
  return names;
}

/// A card's share in the first row of that name that has one: without a clock only some rows have.
std::string share_called(const KeyFigures& figures, const std::string& name, std::size_t column) {
  const auto found =
      std::ranges::find_if(figures.rows, [&](const KeyRow& row) { return row.name == name && has_share(row.cells[column]); });
  return found == figures.rows.end() ? std::string() : share_cell(found->cells[column]);
}

}  // namespace

TextTable efficiency_across(const KeyFigures& figures) {
  const std::vector<std::string> names = names_with_shares(figures);
  TextTable table{.columns = {{"card", Align::left}}, .rows = {}};
  for (const std::string& name : names) table.columns.push_back({name});
  for (std::size_t i = 0; i < figures.columns.size(); ++i) {
    TextRow line{{figures.columns[i]}, {}};
    for (const std::string& name : names) line.cells.push_back(share_called(figures, name, i));
    const bool is_empty = std::all_of(line.cells.begin() + 1, line.cells.end(), [](const auto& cell) { return cell.empty(); });
    if (!is_empty) table.rows.push_back(std::move(line));
  }
  return table;
}

std::string to_csv(const TextTable& table) {
  std::string text;
  const auto add_line = [&](const auto& cells, const auto& text_of_cell) {
    const char* gap = "";
    for (const auto& cell : cells) text += std::exchange(gap, ",") + csv_field(text_of_cell(cell));
    text += '\n';
  };
  add_line(table.columns, [](const TextColumn& column) { return column.title; });
  for (const TextRow& row : table.rows) add_line(row.cells, [](const std::string& cell) { return cell; });
  return text;
}

}  // namespace percycle
