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
  bool is_parameter = false;           ///< a point has it however it ended
  bool is_run = false;                 ///< the name of the point's run
  bool for_programs = false;           ///< left out where people read
  std::optional<std::string> alike{};  ///< what all rows say, which tables for people say once
};

/// A point in a table.
struct TableLine {
  const PointRow* row = nullptr;
  std::vector<std::size_t> notes;  ///< from 0, of PointTable::notes
};

/// The points of one experiment as a table, whatever it is printed as.
struct PointTable {
  std::string experiment;
  std::vector<PointColumn> columns;  ///< parameters, then figures
  std::vector<TableLine> lines;
  std::vector<std::string> notes;  ///< each text once

  /// "latency: path=global, clock: measured-in-kernel": the experiment and what is alike.
  std::string title() const;
  /// The columns that people are shown.
  std::vector<std::size_t> shown() const;
};

/// One line per point: words vary slowest, then whole numbers, the footprint and what shapes the dispatch fastest. The first figure is what the
/// experiment is about, with its spread; then what a rate is in cycles and a bandwidth's limit, cycles and their clock, then all else. No column that
/// is empty for all.
PointTable point_table(const std::string& experiment, const std::vector<const PointRow*>& unsorted);

/// Takes numbers that never vary out of the columns of a table of two ok points or more; the first figure stays.
void say_numbers_once(PointTable& table);

/// A row's cell in a column; an empty one where it has none.
const Cell& cell_of(const PointRow& row, const PointColumn& column);

/// Puts rows in the order of a table's lines.
void sort_rows(std::vector<const PointRow*>& rows);

/// As PointTable has it for people: "failed: timed out".
std::string remark_of(const PointRow& row);

/// "control_ns_per_op" to "control ns/load".
std::string figure_title(const std::string& key, std::string_view op);

}  // namespace percycle
