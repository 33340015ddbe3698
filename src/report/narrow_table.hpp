#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/point_table.hpp"

namespace percycle {

/// The width of a table's column.
struct ColumnWidth {
  std::string key;
  std::size_t width = 0;
  bool is_parameter = false;
};

/// Indices of the columns that fit `columns` characters, two apart. Figures are left out in a fixed
/// order, details first. Parameters and the first figure always stay.
std::vector<std::size_t> fitting_columns(const std::vector<ColumnWidth>& widths, std::size_t columns);

/// Splits the rows by the word parameter that gives the narrowest tables; one part if none helps.
std::vector<std::vector<const PointRow*>> split_by_word(const std::string& experiment, const std::vector<const PointRow*>& rows);

/// Width of the varying parameters of a table.
std::size_t parameters_width(const PointTable& table);

}  // namespace percycle
