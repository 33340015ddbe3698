#include "report/table_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include "report/markdown_table.hpp"

namespace percycle {
namespace {

std::string notes_of(const PointTable& table, const TableLine& line) {
  std::string text;
  for (const std::size_t note : line.notes) text += (text.empty() ? "" : "; ") + table.notes[note];
  return text;
}

/// Whether a spreadsheet may take the field for a formula: it begins like one and is no number.
bool runs_in_a_spreadsheet(const std::string& text) {
  if (text.empty() || std::string_view("=+-@\t\r\n|%").find(text.front()) == std::string_view::npos) return false;
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error != std::errc() || end != text.data() + text.size();
}

std::string shown_text(const PointTable& table, const TableLine& line, std::size_t i) {
  const PointColumn& column = table.columns[i];
  return column.is_parameter || line.row->is_ok() ? text_of(cell_of(*line.row, column), column.format) : "";
}

}  // namespace

std::string csv_field(const std::string& plain) {
  const std::string text = runs_in_a_spreadsheet(plain) ? "'" + plain : plain;
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string field = "\"";
  for (const char c : text) {
    if (c == '"') field += '"';
    field += c;
  }
  return field + '"';
}

std::string to_csv(const PointTable& table) {
  std::string text;
  for (const PointColumn& column : table.columns) text += csv_field(column.key) + ',';
  text += "status,reason,notes\n";
  for (const TableLine& line : table.lines) {
    for (const PointColumn& column : table.columns) text += csv_field(exact_text_of(cell_of(*line.row, column))) + ',';
    text += fmt::format("{},{},{}\n", to_string(line.row->status), line.row->reason ? csv_field(*line.row->reason) : "",
                        csv_field(notes_of(table, line)));
  }
  return text;
}

TextTable shown_table(const PointTable& table, std::size_t most_lines) {
  const std::vector<std::size_t> shown = table.shown();
  TextTable text;
  for (const std::size_t i : shown) text.columns.push_back({table.columns[i].title, table.columns[i].align});
  text.columns.push_back({"notes", Align::left});
  for (std::size_t number = 0; number < std::min(most_lines, table.lines.size()); ++number) {
    const TableLine& line = table.lines[number];
    std::vector<std::string> cells;
    cells.reserve(shown.size() + 1);
    for (const std::size_t i : shown) cells.push_back(shown_text(table, line, i));
    std::string notes = line.row->is_ok() ? "" : remark_of(*line.row);
    for (const std::size_t note : line.notes) notes += fmt::format("{}({})", notes.empty() ? "" : " ", note + 1);
    cells.push_back(std::move(notes));
    text.rows.push_back({std::move(cells), {}});
  }
  return text;
}

std::string to_markdown(const PointTable& table) {
  std::string text = fmt::format("### {}\n\n", markdown_text(table.title())) + markdown_table(shown_table(table));
  if (!table.notes.empty()) text += '\n';
  for (std::size_t i = 0; i < table.notes.size(); ++i) text += fmt::format("({}) {}\n", i + 1, markdown_text(table.notes[i]));
  return text;
}

}  // namespace percycle
