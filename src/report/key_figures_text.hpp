#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/key_figures.hpp"

namespace percycle {

/// "memory read, TB/s".
std::string key_label(const KeyRow& row);

/// A value of the row in the unit of its label, as a range if it has one: "3352", "221-262 KiB",
/// "660 ns?".
std::string key_value_words(const KeyRow& row, const KeyValue& value);

/// "96 %"; empty without a limit.
std::string key_share_words(const KeyValue& value);

/// The most cards that a table of this width holds; at least one.
std::size_t cards_within(const KeyFigures& figures, std::size_t columns);

/// The table with these columns alone, and without the rows that they leave empty.
KeyFigures with_columns(const KeyFigures& figures, const std::vector<std::size_t>& columns);

/// The table of key figures. A cell holds value and share of the limit, "*" behind the best. If two
/// APIs of a card differ, a second line holds the value through Vulkan. Above `most_lines` the
/// second lines leave, the smallest differences first.
std::string to_text(const KeyFigures& figures, std::size_t columns, std::size_t most_lines);

/// The marks that the table has, explained in one line; empty if it has none.
std::string marks_of(const KeyFigures& figures);

/// The table in GitHub's Markdown.
std::string to_markdown(const KeyFigures& figures);

/// The table as comma-separated values with all digits: for each card a value and its share of the
/// limit in percent.
std::string to_csv(const KeyFigures& figures);

}  // namespace percycle
