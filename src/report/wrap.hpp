#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace percycle {

/// Breaks lines longer than `columns` at blanks and indents continuations deeper. A longer word
/// stays whole.
std::string wrap_lines(std::string_view text, std::size_t columns);

}  // namespace percycle
