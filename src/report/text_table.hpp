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

/// The cells of the first columns; `remark` takes the place of the rest and widens no column.
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

/// One line for the titles and one for each row, each ended, columns two spaces apart, no trailing spaces, every line after
/// `indent`.
std::string render(const TextTable& table, std::string_view indent = {});

/// The width of each column.
std::vector<std::size_t> column_widths(const TextTable& table);

/// How many columns of a terminal the UTF-8 text takes, for texts without combining or double-width characters.
std::size_t display_width(std::string_view text);

}  // namespace percycle
