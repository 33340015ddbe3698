#include "report/experiment_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "report/narrow_table.hpp"
#include "report/point_table.hpp"
#include "report/row_notes.hpp"
#include "report/text_table.hpp"
#include "report/wrap.hpp"

namespace percycle {
namespace {

constexpr std::string_view kIndent = "  ";

/// " [1] [3]"
std::string marks(const std::vector<std::size_t>& notes) {
  std::string text;
  for (const std::size_t note : notes) text += fmt::format("{}[{}]", text.empty() ? "" : " ", note + 1);
  return text;
}

TextRow line_of(const TableLine& line, const std::vector<const PointColumn*>& columns) {
  TextRow text;
  for (const PointColumn* column : columns) {
    if (column->is_parameter || line.row->is_ok()) text.cells.push_back(text_of(cell_of(*line.row, *column), column->format));
  }
  const std::string notes = marks(line.notes);
  if (line.row->is_ok()) {
    text.cells.push_back(notes);
  } else {
    text.remark = notes.empty() ? remark_of(*line.row) : remark_of(*line.row) + ' ' + notes;
  }
  return text;
}

TextTable text_of(const PointTable& points, const std::vector<const PointColumn*>& columns) {
  TextTable table;
  for (const PointColumn* column : columns) table.columns.push_back({column->title, column->align});
  table.columns.push_back({"", Align::left});
  for (const TableLine& line : points.lines) table.rows.push_back(line_of(line, columns));
  return table;
}

/// The columns of a narrow table.
std::vector<const PointColumn*> narrow(const PointTable& points, const std::vector<const PointColumn*>& columns) {
  const std::vector<std::size_t> widths = column_widths(text_of(points, columns));
  std::vector<ColumnWidth> sizes;
  for (std::size_t i = 0; i < columns.size(); ++i) sizes.push_back({columns[i]->key, widths[i], columns[i]->is_parameter});
  const std::size_t marks = widths.back() + (widths.back() > 0 ? kColumnGap : 0);
  std::vector<const PointColumn*> stay;
  for (const std::size_t i : fitting_columns(sizes, kTableColumns - kIndent.size() - marks)) stay.push_back(columns[i]);
  return stay;
}

std::string part_text(PointTable points, TableWidth width) {
  say_numbers_once(points);
  std::vector<const PointColumn*> columns;
  for (const std::size_t i : points.shown()) columns.push_back(&points.columns[i]);
  std::vector<std::string> left;
  if (width == TableWidth::narrow) {
    const std::vector<const PointColumn*> stay = narrow(points, columns);
    for (const PointColumn* column : columns) {
      if (std::find(stay.begin(), stay.end(), column) == stay.end()) left.push_back(column->title);
    }
    columns = stay;
  }
  std::string text = points.title() + '\n' + render(text_of(points, columns), kIndent);
  for (std::size_t i = 0; i < points.notes.size(); ++i) text += fmt::format("  [{}] {}\n", i + 1, points.notes[i]);
  if (!left.empty()) text += fmt::format("  more columns with --wide: {}\n", fmt::join(left, ", "));
  return text;
}

/// Whether the parameters leave half of the columns to the figures.
bool is_roomy(const PointTable& table) { return parameters_width(table) <= kTableColumns / 2; }

}  // namespace

std::string experiment_table(const std::string& experiment, const std::vector<const PointResult*>& results, const Header& header,
                             const DeviceLimits& limits, TableWidth width) {
  std::vector<PointRow> rows;
  rows.reserve(results.size());
  for (const PointResult* result : results) rows.push_back(point_row(*result, header, limits));
  std::vector<PointRow*> in_order;
  for (PointRow& row : rows) in_order.push_back(&row);
  add_row_notes(in_order);
  const std::vector<const PointRow*> pointers(in_order.begin(), in_order.end());
  const std::vector<const PointRow*> best = best_rows(pointers);
  PointTable whole = point_table(experiment, best);
  std::string text;
  if (width == TableWidth::wide || is_roomy(whole)) {
    text = part_text(std::move(whole), width);
  } else {
    for (const auto& part : split_by_word(experiment, best))
      text += (text.empty() ? "" : "\n") + part_text(point_table(experiment, part), width);
  }
  if (pointers.size() > best.size())
    text += fmt::format("  not shown: {} points of other configurations\n", pointers.size() - best.size());
  return text;
}

}  // namespace percycle
