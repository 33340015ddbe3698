#include "cli/doc_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "cli/markdown_lines.hpp"
#include "report/text_table.hpp"
#include "report/wrap.hpp"

namespace percycle {
namespace {

constexpr std::string_view kIndent = "  ";
constexpr std::size_t kLeastRoom = 30;  // for the words of the last column

/// The cells of "| a | b |".
std::vector<std::string> cells_of(std::string_view line) {
  std::vector<std::string> cells;
  line.remove_prefix(1);
  for (std::size_t end = line.find('|'); end != std::string_view::npos; end = line.find('|')) {
    const std::string_view cell = line.substr(0, end);
    const std::size_t first = std::min(cell.find_first_not_of(' '), cell.size());
    cells.emplace_back(cell.substr(first, cell.find_last_not_of(' ') + 1 - first));
    line.remove_prefix(end + 1);
  }
  return cells;
}

bool is_rule(const std::vector<std::string>& cells) {
  return std::ranges::all_of(cells, [](const std::string& cell) { return cell.find_first_not_of(":-") == std::string::npos; });
}

/// Each row as its first cell and, below it, the others after their titles.
std::string list_of(const TextTable& table, std::size_t columns) {
  std::string text;
  for (const TextRow& row : table.rows) {
    text += fmt::format("{}{}\n", kIndent, row.cells.front());
    for (std::size_t i = 1; i < std::min(row.cells.size(), table.columns.size()); ++i)
      if (!row.cells[i].empty()) text += fmt::format("{0}{0}{1}: {2}\n", kIndent, table.columns[i].title, row.cells[i]);
  }
  return wrap_lines(text, columns);
}

std::string drawn(const TextTable& table, std::size_t columns) {
  const std::vector<std::size_t> widths = column_widths(table);
  const std::size_t others = std::accumulate(widths.begin(), widths.end() - 1, kColumnGap * (widths.size() - 1));
  const std::size_t room = columns - std::min(columns, kIndent.size() + others);
  if (room < std::min(widths.back(), kLeastRoom)) return list_of(table, columns);
  return render(fit_table(table, widths.size() - 1, columns - kIndent.size()), kIndent);
}

}  // namespace

std::string fit_doc_tables(std::string_view markdown, std::size_t columns) {
  std::string text;
  TextTable table;
  const auto end_table = [&] {
    if (!table.columns.empty()) text += drawn(std::exchange(table, {}), columns);
  };
  for (const MarkdownLine& each : markdown_lines(markdown)) {
    const std::string_view line = each.text;
    if (each.is_code || !line.starts_with('|') || std::ranges::count(line, '|') < 2) {
      end_table();
      text.append(line) += '\n';
      continue;
    }
    std::vector<std::string> cells = cells_of(line);
    if (table.columns.empty()) {
      for (std::string& title : cells) table.columns.push_back({std::move(title), Align::left});
    } else if (!is_rule(cells)) {
      table.rows.push_back({std::move(cells), {}});
    }
  }
  end_table();
  return text;
}

}  // namespace percycle
