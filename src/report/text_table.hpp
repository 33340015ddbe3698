#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace percycle {

enum class Align { left, right };

struct TextColumn {
  std::string title;
  Align align = Align::right;
};

/// The cells of the first columns; `remark` replaces the rest and widens no column.
struct TextRow {
  std::vector<std::string> cells;
  std::string remark;
};

/// Blanks between two columns.
inline constexpr std::size_t kColumnGap = 2;

/// A plain-text table.
struct TextTable {
  std::vector<TextColumn> columns;
  std::vector<TextRow> rows;
};

/// A line of titles and one line per row, each ended, columns two spaces apart, no trailing spaces,
/// every line after `indent`.
std::string render(const TextTable& table, std::string_view indent = {});

/// Breaks the cells of column `breaks` at blanks into further rows until the table is at most
/// `columns` wide. A longer word stays whole; other columns keep their width.
TextTable fit_table(const TextTable& table, std::size_t breaks, std::size_t columns);

/// The width of each column.
std::vector<std::size_t> column_widths(const TextTable& table);

/// The width of a UTF-8 text on a terminal, for texts without combining or double-width characters.
std::size_t display_width(std::string_view text);

}  // namespace percycle
