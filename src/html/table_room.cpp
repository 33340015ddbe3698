#include "html/table_room.hpp"

#include <algorithm>

namespace percycle {

std::size_t lines_that_fit(const std::vector<TableSize>& tables, double bytes, std::size_t most) {
  const auto size_of = [&](std::size_t lines) {
    double sum = 0;
    for (const TableSize& table : tables)
      sum += table.other_bytes + table.bytes_per_line * static_cast<double>(std::min(table.lines, lines));
    return sum;
  };
  std::size_t lines = most;
  while (lines > kFewestLines && size_of(lines) > bytes) --lines;
  return lines;
}

}  // namespace percycle
