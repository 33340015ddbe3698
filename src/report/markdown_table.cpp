#include "report/markdown_table.hpp"

#include <array>
#include <cstddef>

namespace percycle {
namespace {

constexpr auto kIsMarkup = [] {
  std::array<bool, 256> is_markup{};
  for (const char c : std::string_view("\\`*_{}[]<>#|~&$!")) is_markup[static_cast<unsigned char>(c)] = true;
  return is_markup;
}();

void append_text(std::string& text, std::string_view plain) {
  for (const char c : plain) {
    const auto byte = static_cast<unsigned char>(c);
    if (kIsMarkup[byte]) text += '\\';
    text += byte < ' ' || c == '\x7f' ? ' ' : c;
  }
}

void append_cell(std::string& text, std::string_view plain) {
  text += ' ';
  append_text(text, plain);
  text += " |";
}

}  // namespace

std::string markdown_text(std::string_view text) {
  std::string escaped;
  append_text(escaped, text);
  return escaped;
}

std::string markdown_table(const TextTable& table) {
  std::string text = "|";
  for (const TextColumn& column : table.columns) append_cell(text, column.title);
  text += "\n|";
  for (const TextColumn& column : table.columns) text += column.align == Align::right ? " ---: |" : " --- |";
  text += '\n';
  for (const TextRow& row : table.rows) {
    text += '|';
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const bool is_remark = !row.remark.empty() && i + 1 == table.columns.size();
      append_cell(text, is_remark ? std::string_view(row.remark) : i < row.cells.size() ? std::string_view(row.cells[i]) : "");
    }
    text += '\n';
  }
  return text;
}

}  // namespace percycle
