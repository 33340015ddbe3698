#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace percycle {

/// The width in characters of texts and tables for people.
inline constexpr std::size_t kTableColumns = 120;

/// Breaks lines longer than `columns` at blanks and indents continuations deeper. A longer word
/// stays whole.
std::string wrap_lines(std::string_view text, std::size_t columns);

}  // namespace percycle
