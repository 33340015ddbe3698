#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace percycle {

/// The text with lines of more than `columns` broken at blanks; what follows a break stands deeper than its line. A word
/// that is longer stays whole.
std::string wrap_lines(std::string_view text, std::size_t columns);

}  // namespace percycle
