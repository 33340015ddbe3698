#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace percycle {

inline constexpr std::size_t kLongestText = 300;  ///< bytes; no name or message needs more

/// The text as valid UTF-8 of at most `most` bytes, with an ellipsis if it was cut. Invalid bytes
/// and control characters (line ends, marks that reverse the direction of writing) become U+FFFD.
std::string printable(std::string_view text, std::size_t most = kLongestText);

/// Like printable, for a text of several lines: keeps line ends and tabs, cuts nothing.
std::string printable_lines(std::string_view text);

}  // namespace percycle
