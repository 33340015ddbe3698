#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/measurement.hpp"
#include "limits/limits.hpp"
#include "presentation/presentation.hpp"
#include "report/cell.hpp"
#include "store/record.hpp"

namespace percycle {

/// Values under their names in records; a figure that is made from several has a name of its own (point_table.cpp).
using Cells = std::map<std::string, Cell, std::less<>>;

/// What one point says in any table or chart, without the samples behind it. Its texts are printable().
struct PointRow {
  Cells parameters;
  Cells figures;  ///< of an ok point: medians and what is made from them
  std::vector<std::string> notes;
  std::optional<std::string> reason{};  ///< its first line; absent of an ok point
  const Presentation* about = nullptr;  ///< of its experiment; nullptr where it is of several
  Cell run{};                           ///< the name of its run; empty where there is one only
  Status status = Status::ok;

  bool is_ok() const { return !reason; }
};

/// The row of a finished point: bandwidths stand beside their limits, what is made from something that is not known is not known, and more than
/// the limit has a note. An ok point without a measurement has no figures.
PointRow point_row(const PointResult& result, const Header& header, const DeviceLimits& limits);

/// The cell of that name; nullptr where there is none.
const Cell* find_parameter(const PointRow& row, std::string_view name);
const Cell* find_figure(const PointRow& row, std::string_view name);

/// A figure that is a number.
std::optional<double> figure(const PointRow& row, std::string_view name);

/// Whether a parameter of the row is that word.
bool has_word(const PointRow& row, std::string_view parameter, std::string_view word);

/// The name of what the experiment of the row is about: the bandwidth or the rate of operations where it was measured, else the time.
std::string_view main_figure(const PointRow& row);

/// Whether a parameter counts bytes.
bool is_bytes(std::string_view parameter);

/// Whether a parameter of the row is its role or shapes its dispatch.
bool is_configuration(const PointRow& row, std::string_view parameter);

/// Adds "NAME=VALUE " to a key.
void append_to_key(std::string& key, const Cells::value_type& parameter);

/// The parameters without those of the configuration and the role: equal where the question is.
std::string question_key(const PointRow& row);

/// The same and, unless a search chose it, the configuration: equal where two rows answer the same question in the same way.
std::string answer_key(const PointRow& row);

/// Which of the rows answer: of a question that a search asked only the best configuration's row of each run, of all else every row.
std::vector<const PointRow*> best_rows(const std::vector<const PointRow*>& rows);

}  // namespace percycle
