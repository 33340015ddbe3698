#pragma once

#include <string_view>
#include <vector>

namespace percycle::isa {

/// The lines of a text, without line ends.
std::vector<std::string_view> lines(std::string_view text);

/// The text without blanks at both ends.
std::string_view trimmed(std::string_view text);

/// The words between blanks and commas. A line of blanks and commas alone has none.
std::vector<std::string_view> words(std::string_view text);

bool has(std::string_view text, std::string_view part);

/// The number at the start of a text, 0 if there is none.
unsigned leading_number(std::string_view text);

/// The number after the first `name` in a text, 0 if there is none.
unsigned number_behind(std::string_view text, std::string_view name);

/// The number at the end of a text, 0 if there is none.
unsigned trailing_number(std::string_view text);

}  // namespace percycle::isa
