#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/figures.hpp"
#include "core/measurement.hpp"
#include "limits/limits.hpp"
#include "presentation/presentation.hpp"
#include "report/cell.hpp"
#include "stats/sustained_statistics.hpp"
#include "store/record.hpp"

namespace percycle {

/// Values by their names in records; derived figures have their own names (point_table.cpp).
using Cells = std::map<std::string, Cell, std::less<>>;

/// The timed loop as machine code.
struct LoopCode {
  std::uint64_t accesses = 0;
  double alu_per_access = 0;
};

/// The median, the lowest and the highest value of all samples.
struct PositionValue {
  double median = 0;
  double low = 0;
  double high = 0;
};

/// A sentence about a point, below its table.
struct Note {
  std::string text;
  bool is_warning = true;  ///< others explain
};

/// One point for any table or chart, without its samples. Its texts are printable().
struct PointRow {
  Cells parameters;
  Cells figures;  ///< of an ok point: medians and derived values
  std::vector<Note> notes;
  std::optional<std::string> reason{};  ///< its first line; empty for an ok point
  const Presentation* about = nullptr;  ///< its experiment's; nullptr for several experiments
  Cell run{};                           ///< name of its run; empty if there is only one
  std::string unit_name = "unit";       ///< the vendor's name
  Status status = Status::ok;
  std::optional<LoopCode> loop{};  ///< empty if its code was not read
  LoadCurves load{};               ///< of a sustained load
  /// The first operations of a dispatch, if a chart of its experiment draws them.
  std::vector<PositionValue> positions{};

  bool is_ok() const { return !reason; }
};

/// The row of a finished point: bandwidths with their limits; a value with an unknown input is
/// unknown; a value above its limit has a note. An ok point without a measurement has no figures.
PointRow point_row(const PointResult& result, const Header& header, const DeviceLimits& limits);

/// The cell of that name; nullptr if there is none.
const Cell* find_parameter(const PointRow& row, std::string_view name);
const Cell* find_figure(const PointRow& row, std::string_view name);

/// A figure if it is a number.
std::optional<double> figure(const PointRow& row, std::string_view name);

/// Whether a parameter of the row is that word.
bool has_word(const PointRow& row, std::string_view parameter, std::string_view word);

/// Whether parameters of the row are all these words.
bool has_words(const PointRow& row, const ParameterWords& words);

/// Whether a parameter of the row is one of these words.
bool has_any_word(const PointRow& row, const ParameterWords& words);

/// The words on which the units of rows depend: those that all rows share.
UnitWords unit_words(const Presentation& about, std::span<const PointRow* const> rows);

/// The name of the row's main figure; empty if it has none.
std::string_view main_figure(const PointRow& row);

/// Whether tables print a parameter as a size, such as 64 MiB.
bool is_bytes(std::string_view name);

/// Whether a parameter of the row is its role or shapes its dispatch.
bool is_configuration(const PointRow& row, std::string_view parameter);

/// "NAME=VALUE " for each parameter that counts.
std::string key_of(const PointRow& row, const std::function<bool(const std::string& parameter)>& counts);

/// The parameters without configuration and role: equal for the same question.
std::string question_key(const PointRow& row);

/// The same with the configuration, unless a search chose it: equal for two rows that answer the
/// same question in the same way.
std::string answer_key(const PointRow& row);

/// The rows with answers: for a question with a search only the best configuration's row of each
/// run, else every row.
std::vector<const PointRow*> best_rows(const std::vector<const PointRow*>& rows);

}  // namespace percycle
