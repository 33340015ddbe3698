#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/point_row.hpp"
#include "report/text_table.hpp"

namespace percycle {

/// A column of a table of points.
struct PointColumn {
  std::string key;    ///< for programs: "gb_per_s"
  std::string title;  ///< for people: "GB/s"
  Align align = Align::right;
  Format format = Format::plain;
  bool is_parameter = false;           ///< present for every outcome
  bool is_run = false;                 ///< the name of the point's run
  bool for_programs = false;           ///< hidden from people
  std::optional<std::string> alike{};  ///< constant value, which tables for people show once
};

/// A point in a table.
struct TableLine {
  const PointRow* row = nullptr;
  std::vector<std::size_t> notes;  ///< indices into PointTable::notes
};

/// The points of one experiment as a table, for any output format.
struct PointTable {
  std::string experiment;
  std::vector<PointColumn> columns;  ///< parameters, then figures
  std::vector<TableLine> lines;
  std::vector<std::string> notes;  ///< each text once

  /// "latency: path=global, clock: measured-in-kernel": the experiment and its constant values.
  std::string title() const;
  /// The columns for people.
  std::vector<std::size_t> shown() const;
};

/// One line per point: words vary slowest, then whole numbers, the footprint, and the dispatch's
/// shape fastest. Figures: the main one with its spread, a rate's cycles, a bandwidth's limit,
/// cycles and clock, others. Omits columns that are empty for all.
PointTable point_table(const std::string& experiment, const std::vector<const PointRow*>& unsorted);

/// Removes the columns of constant numbers if the table has at least two ok points; the first
/// figure stays.
void say_numbers_once(PointTable& table);

/// A row's cell in a column; an empty cell if it has none.
const Cell& cell_of(const PointRow& row, const PointColumn& column);

/// Sorts rows in the order of a table's lines.
void sort_rows(std::vector<const PointRow*>& rows);

/// The remark in tables for people: "failed: timed out".
std::string remark_of(const PointRow& row);

}  // namespace percycle
