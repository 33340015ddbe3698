#include "cli/markdown_lines.hpp"

#include <algorithm>

namespace percycle {

std::vector<MarkdownLine> markdown_lines(std::string_view page) {
  std::vector<MarkdownLine> lines;
  bool is_code = false;
  while (!page.empty()) {
    const std::size_t end = std::min(page.find('\n'), page.size());
    MarkdownLine line{.text = page.substr(0, end)};
    page.remove_prefix(std::min(end + 1, page.size()));
    line.is_fence = line.text.starts_with("```");
    if (line.is_fence) is_code = !is_code;
    line.is_code = is_code && !line.is_fence;
    const std::size_t level = std::min(line.text.find_first_not_of('#'), line.text.size());
    if (!line.is_code && level < line.text.size() && line.text[level] == ' ') line.level = level;
    lines.push_back(line);
  }
  return lines;
}

}  // namespace percycle
