#include "report/experiment_table.hpp"

#include <fmt/format.h>

#include "report/clock_neighbours.hpp"
#include "report/point_table.hpp"
#include "report/text_table.hpp"

namespace percycle {
namespace {

/// " [1] [3]"
std::string marks(const std::vector<std::size_t>& notes) {
  std::string text;
  for (const std::size_t note : notes) text += fmt::format("{}[{}]", text.empty() ? "" : " ", note + 1);
  return text;
}

TextRow line_of(const PointTable& table, const TableLine& line) {
  TextRow text;
  for (const std::size_t i : table.shown()) {
    const PointColumn& column = table.columns[i];
    if (column.is_parameter || line.row->is_ok()) text.cells.push_back(text_of(cell_of(*line.row, column), column.format));
  }
  const std::string notes = marks(line.notes);
  if (line.row->is_ok()) {
    text.cells.push_back(notes);
  } else {
    text.remark = notes.empty() ? remark_of(*line.row) : remark_of(*line.row) + ' ' + notes;
  }
  return text;
}

}  // namespace

std::string experiment_table(const std::string& experiment, const std::vector<const PointResult*>& results, const Header& header,
                             const DeviceLimits& limits) {
  std::vector<PointRow> rows;
  rows.reserve(results.size());
  for (const PointResult* result : results) rows.push_back(point_row(*result, header, limits));
  std::vector<PointRow*> in_order;
  for (PointRow& row : rows) in_order.push_back(&row);
  note_clock_neighbours(in_order);
  const std::vector<const PointRow*> pointers(in_order.begin(), in_order.end());
  const std::vector<const PointRow*> best = best_rows(pointers);
  const PointTable points = point_table(experiment, best);

  TextTable table;
  for (const std::size_t i : points.shown()) table.columns.push_back({points.columns[i].title, points.columns[i].align});
  table.columns.push_back({"", Align::left});
  for (const TableLine& line : points.lines) table.rows.push_back(line_of(points, line));

  std::string text = points.title() + '\n' + render(table, "  ");
  for (std::size_t i = 0; i < points.notes.size(); ++i) text += fmt::format("  [{}] {}\n", i + 1, points.notes[i]);
  if (pointers.size() > best.size())
    text += fmt::format("  not shown: {} points of other configurations\n", pointers.size() - best.size());
  return text;
}

}  // namespace percycle
