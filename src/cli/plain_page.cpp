#include "cli/plain_page.hpp"

#include <algorithm>
#include <utility>

namespace percycle {
namespace {

struct Link {
  std::string_view text;
  std::size_t end = 0;  ///< of its last character; 0: no link
};

/// The link "[text](target)" that begins at `start`, if one does.
Link link_at(std::string_view page, std::size_t start) {
  const std::size_t middle = page[start] == '[' ? page.find("](", start) : std::string_view::npos;
  const std::size_t end = middle == std::string_view::npos ? middle : page.find(')', middle);
  const std::string_view text = end == std::string_view::npos ? "" : page.substr(start + 1, middle - start - 1);
  return text.empty() || text.find('[') != std::string_view::npos ? Link() : Link{text, end};
}

/// A text without the marks of code and links: "[text](target)" becomes "text". Links may go over
/// line ends.
std::string without_marks(std::string_view text) {
  std::string plain;
  bool is_code = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '`') {
      is_code = !is_code;
    } else if (!is_code && text.substr(i, 2) == "**") {
      ++i;
    } else if (!is_code && text.substr(i, 2) == "![") {
      continue;  // a picture's description stays
    } else if (const Link link = is_code ? Link() : link_at(text, i); link.end != 0) {
      plain += without_marks(link.text);
      i = link.end;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

}  // namespace

std::string plain_page(std::string_view markdown) {
  std::string text;
  std::string prose;  // lines since the last code
  bool is_code = false;
  while (!markdown.empty()) {
    const std::size_t end = std::min(markdown.find('\n'), markdown.size());
    const std::string_view line = markdown.substr(0, end);
    markdown.remove_prefix(std::min(end + 1, markdown.size()));
    const std::size_t level = std::min(line.find_first_not_of('#'), line.size());
    if (line.starts_with("```")) {
      text += without_marks(std::exchange(prose, {}));
      is_code = !is_code;
    } else if (is_code) {
      text.append(line.starts_with('|') ? " " : "").append(line) += '\n';  // so it is no table
    } else if (level > 0 && level < line.size() && line[level] == ' ') {
      const std::string heading = without_marks(line.substr(level + 1));
      prose += heading + '\n' + std::string(heading.size(), level < 3 ? '=' : '-') + '\n';
    } else {
      prose.append(line) += '\n';
    }
  }
  return text + without_marks(prose);
}

}  // namespace percycle
