#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/point_table.hpp"

namespace percycle {

/// Columns of a terminal that tables for people fit.
inline constexpr std::size_t kTableColumns = 120;

/// A column of a table and the room it takes.
struct ColumnWidth {
  std::string key;
  std::size_t width = 0;
  bool is_parameter = false;
};

/// Positions of the columns that stay when all have to fit `columns`, two apart. Figures leave in a fixed order, details
/// first. Parameters and the first figure always stay.
std::vector<std::size_t> fitting_columns(const std::vector<ColumnWidth>& widths, std::size_t columns);

/// The rows in parts whose tables are narrower: by the word parameter that leaves the narrowest ones. One part where no
/// parameter makes them narrower.
std::vector<std::vector<const PointRow*>> split_by_word(const std::string& experiment, const std::vector<const PointRow*>& rows);

/// Room for the parameters of a table that vary.
std::size_t parameters_width(const PointTable& table);

}  // namespace percycle
