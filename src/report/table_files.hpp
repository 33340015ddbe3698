#pragma once

#include <cstddef>
#include <limits>
#include <string>

#include "report/point_table.hpp"

namespace percycle {

/// Every line and column as comma-separated values with a line of the columns' keys (RFC 4180, but lines end as everywhere else): every digit, and
/// nothing for what is absent or not known. Behind the columns `status`, `reason` and `notes`.
std::string to_csv(const PointTable& table);

/// The first lines as people read them: the shown columns, and behind them a column of remarks and numbers of notes.
TextTable shown_table(const PointTable& table, std::size_t most_lines = std::numeric_limits<std::size_t>::max());

/// As people read it: a heading, a table in the form of GitHub's Markdown, the notes.
std::string to_markdown(const PointTable& table);

/// One field of a CSV line, in quotes where it must be. A text that a spreadsheet would run as a formula has ' in front.
std::string csv_field(const std::string& plain);

}  // namespace percycle
