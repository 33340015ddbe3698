#include "report/markdown_table.hpp"

namespace percycle {
namespace {

std::string line(const std::vector<std::string>& cells) {
  std::string text = "|";
  for (const std::string& cell : cells) text += ' ' + cell + " |";
  return text + '\n';
}

}  // namespace

std::string markdown_text(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') {
      escaped += ' ';
      continue;
    }
    if (std::string_view("\\`*_{}[]<>#|~&$!").find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string markdown_table(const Table& table) {
  std::vector<std::string> titles;
  std::vector<std::string> rules;
  for (const Column& column : table.columns) {
    titles.push_back(markdown_text(column.title));
    rules.emplace_back(column.align == Align::right ? "---:" : "---");
  }
  std::string text = line(titles) + line(rules);
  for (const Row& row : table.rows) {
    std::vector<std::string> cells;
    for (const std::string& cell : row.cells) cells.push_back(markdown_text(cell));
    cells.resize(table.columns.size());
    if (!row.remark.empty()) cells.back() = markdown_text(row.remark);
    text += line(cells);
  }
  return text;
}

}  // namespace percycle
