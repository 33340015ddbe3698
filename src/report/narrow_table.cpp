#include "report/narrow_table.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string_view>
#include <utility>

#include "core/figures.hpp"
#include "report/text_table.hpp"

namespace percycle {
namespace {

std::size_t total(const std::vector<ColumnWidth>& widths, const std::vector<std::size_t>& stay) {
  return std::accumulate(stay.begin(), stay.end(), std::size_t{0},
                         [&](std::size_t sum, std::size_t i) { return sum + (sum > 0 ? kColumnGap : 0) + widths[i].width; });
}

constexpr std::size_t kFewestRows = 2;  // of a part, on average

using Rows = std::vector<const PointRow*>;

std::vector<Rows> parts_by(const Rows& rows, const std::string& parameter) {
  std::map<Cell, Rows> parts;
  for (const PointRow* row : rows) {
    const Cell* cell = find_parameter(*row, parameter);
    parts[cell ? *cell : Cell()].push_back(row);
  }
  std::vector<Rows> list;
  for (auto& [value, part] : parts) list.push_back(std::move(part));
  return list;
}

std::size_t widest(const std::string& experiment, const std::vector<Rows>& parts) {
  std::size_t width = 0;
  for (const Rows& part : parts) width = std::max(width, parameters_width(point_table(experiment, part)));
  return width;
}

}  // namespace

std::vector<std::size_t> fitting_columns(const std::vector<ColumnWidth>& widths, std::size_t columns) {
  std::vector<std::size_t> stay(widths.size());
  std::iota(stay.begin(), stay.end(), std::size_t{0});
  const auto main = std::find_if(widths.begin(), widths.end(), [](const ColumnWidth& column) { return !column.is_parameter; });
  while (total(widths, stay) > columns) {
    auto leaves = stay.end();
    for (auto i = stay.begin(); i != stay.end(); ++i) {
      if (widths[*i].is_parameter || &widths[*i] == &*main) continue;
      if (leaves == stay.end() || figure_called(widths[*i].key).rank >= figure_called(widths[*leaves].key).rank) leaves = i;
    }
    if (leaves == stay.end()) break;
    stay.erase(leaves);
  }
  return stay;
}

std::size_t parameters_width(const PointTable& table) {
  std::size_t width = 0;
  for (const std::size_t i : table.shown()) {
    const PointColumn& column = table.columns[i];
    if (!column.is_parameter) continue;
    std::size_t widest = display_width(column.title);
    for (const TableLine& line : table.lines)
      widest = std::max(widest, display_width(text_of(cell_of(*line.row, column), column.format)));
    width += widest + kColumnGap;
  }
  return width;
}

std::vector<Rows> split_by_word(const std::string& experiment, const Rows& rows) {
  std::set<std::string> words;
  for (const PointRow* row : rows) {
    for (const auto& [name, cell] : row->parameters) {
      if (std::holds_alternative<std::string>(cell)) words.insert(name);
    }
  }
  std::vector<Rows> best{rows};
  std::size_t least = widest(experiment, best);
  for (const std::string& name : words) {
    std::vector<Rows> parts = parts_by(rows, name);
    const std::size_t width = widest(experiment, parts);
    if (width >= least || kFewestRows * parts.size() > rows.size()) continue;
    least = width;
    best = std::move(parts);
  }
  return best;
}

}  // namespace percycle
