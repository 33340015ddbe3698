#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace percycle {

/// A line of a page. The lines of code between two fences have no headings.
struct MarkdownLine {
  std::string_view text;
  bool is_fence = false;
  bool is_code = false;
  std::size_t level = 0;  ///< of a heading: its number of '#'

  std::string_view heading() const { return level == 0 ? "" : text.substr(level + 1); }
};

/// The lines of a page, which must outlive them.
std::vector<MarkdownLine> markdown_lines(std::string_view page);

}  // namespace percycle
