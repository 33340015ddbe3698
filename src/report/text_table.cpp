#include "report/text_table.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "report/wrap.hpp"

namespace percycle {
namespace {

void add_cell(std::string& line, std::string_view text, const TextColumn& column, std::size_t width) {
  const std::size_t own = display_width(text);
  const std::string padding(width > own ? width - own : 0, ' ');
  if (column.align == Align::right) line += padding;
  line += text;
  if (column.align == Align::left) line += padding;
}

void end_line(std::string& text, std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  text += line;
  text += '\n';
}

}  // namespace

std::size_t display_width(std::string_view text) {
  // Every byte except a continuation byte (10xxxxxx) begins a character.
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0u) != 0x80u; }));
}

std::vector<std::size_t> column_widths(const TextTable& table) {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    std::size_t width = display_width(table.columns[i].title);
    for (const TextRow& row : table.rows) {
      if (i < row.cells.size()) width = std::max(width, display_width(row.cells[i]));
    }
    widths.push_back(width);
  }
  return widths;
}

TextTable fit_table(const TextTable& table, std::size_t breaks, std::size_t columns) {
  const std::vector<std::size_t> widths = column_widths(table);
  const std::size_t width =
      std::accumulate(widths.begin(), widths.end(), kColumnGap * (std::max<std::size_t>(widths.size(), 1) - 1));
  if (width <= columns) return table;
  const std::size_t others = width - widths[breaks];
  const std::size_t room = std::max(display_width(table.columns[breaks].title), columns > others ? columns - others : 0);
  TextTable fitted{table.columns, {}};
  for (const TextRow& row : table.rows) {
    fitted.rows.push_back(row);
    if (breaks >= row.cells.size()) continue;
    std::string rest = wrap_lines(row.cells[breaks], room);
    std::size_t end = rest.find('\n');
    fitted.rows.back().cells[breaks] = rest.substr(0, end);
    for (; end != std::string::npos; end = rest.find('\n')) {
      rest.erase(0, end + 1);
      fitted.rows.push_back({std::vector<std::string>(breaks), {}});
      fitted.rows.back().cells.push_back(rest.substr(0, rest.find('\n')));
    }
  }
  return fitted;
}

std::string render(const TextTable& table, std::string_view indent) {
  const std::vector<std::size_t> widths = column_widths(table);

  std::string text;
  std::string titles(indent);
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (i > 0) titles.append(kColumnGap, ' ');
    add_cell(titles, table.columns[i].title, table.columns[i], widths[i]);
  }
  end_line(text, std::move(titles));

  for (const TextRow& row : table.rows) {
    std::string line(indent);
    const std::size_t count = std::min(row.cells.size(), table.columns.size());
    for (std::size_t i = 0; i < count; ++i) {
      if (i > 0) line.append(kColumnGap, ' ');
      add_cell(line, row.cells[i], table.columns[i], widths[i]);
    }
    if (!row.remark.empty()) {
      if (count > 0) line.append(kColumnGap, ' ');
      line += row.remark;
    }
    end_line(text, std::move(line));
  }
  return text;
}

}  // namespace percycle
