#pragma once

#include <cstddef>
#include <limits>
#include <string>

#include "report/point_table.hpp"

namespace percycle {

/// All lines and columns as comma-separated values after a line of keys (RFC 4180, but with plain
/// line ends): all digits, and empty fields for absent and unknown values. The last columns are
/// `status`, `reason` and `notes`.
std::string to_csv(const PointTable& table);

/// The first lines for people: the shown columns, then a column of remarks and numbers of notes.
TextTable shown_table(const PointTable& table, std::size_t most_lines = std::numeric_limits<std::size_t>::max());

/// For people: a heading, a table in GitHub's Markdown, the notes.
std::string to_markdown(const PointTable& table);

/// One field of a CSV line, quoted if necessary. A text that a spreadsheet would run as a formula
/// gets a leading '.
std::string csv_field(const std::string& plain);

}  // namespace percycle
