#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/point_table.hpp"

namespace percycle {

/// Which lines of a table to show where it has more than `most`: of the figure that it is about the least and the most, the ends, both sides of where it
/// changes most from line to line (edges), and of what is left every n-th (plateaus). In the table's order.
std::vector<std::size_t> lines_to_show(const PointTable& table, std::size_t most);

/// The lines as an HTML table with its notes.
std::string html_table(const PointTable& table, const std::vector<std::size_t>& lines, const std::string& caption);

}  // namespace percycle
