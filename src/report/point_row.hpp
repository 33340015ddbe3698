#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/measurement.hpp"
#include "limits/limits.hpp"
#include "presentation/presentation.hpp"
#include "report/cell.hpp"
#include "report/texts.hpp"
#include "store/record.hpp"

namespace percycle {

/// A value under its name in records, or, of what is made from several, the name it has in point_table.cpp.
struct NamedCell {
  const std::string* name = nullptr;
  Cell cell;
};

/// What one point says in any table or chart, without the samples behind it. Texts are kept elsewhere.
struct PointRow {
  std::vector<NamedCell> parameters;  ///< in the order of their names
  std::vector<NamedCell> figures;     ///< of an ok point: medians and what is made from them
  std::vector<const std::string*> notes;
  const std::string* reason = nullptr;  ///< its first line; nullptr of an ok point
  const Presentation* about = nullptr;  ///< of its experiment; nullptr where it is of several
  const std::string* run = nullptr;     ///< what tells its run from others of the device; nullptr where there is one only
  Status status = Status::ok;

  bool is_ok() const { return reason == nullptr; }
};

/// The row of a finished point: bandwidths stand beside their limits, what is made from something that is not known is not known, and more than
/// the limit has a note. An ok point without a measurement has no figures.
PointRow point_row(const PointResult& result, const Header& header, const DeviceLimits& limits, Texts& texts);

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
void append_to_key(std::string& key, const NamedCell& parameter);

/// The parameters without those of the configuration and the role: equal where the question is.
std::string question_key(const PointRow& row);

/// Which of the rows answer: of a question that a search asked only the best configuration's row of each run, of all else every row.
std::vector<const PointRow*> best_rows(const std::vector<const PointRow*>& rows);

}  // namespace percycle
