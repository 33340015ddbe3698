#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace percycle {

inline constexpr std::size_t kLongestText = 300;  ///< bytes; more than that is no name and no message

/// The text as any document can hold it: UTF-8, what is none and control characters (line ends, marks that turn the direction of writing)
/// as U+FFFD, at most `most` bytes long and ended by an ellipsis where it was cut.
std::string printable(std::string_view text, std::size_t most = kLongestText);

/// The same for a text of several lines, which is not cut: line ends and tabs stay.
std::string printable_lines(std::string_view text);

}  // namespace percycle
