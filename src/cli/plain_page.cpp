#include "cli/plain_page.hpp"

#include <utility>

#include "cli/markdown_lines.hpp"

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
  for (const MarkdownLine& line : markdown_lines(markdown)) {
    if (line.is_fence) {
      text += without_marks(std::exchange(prose, {}));
    } else if (line.is_code) {
      // A space, so that it is no table.
      text.append(line.text.starts_with('|') ? " " : "").append(line.text) += '\n';
    } else if (line.level > 0) {
      const std::string heading = without_marks(line.heading());
      prose += heading + '\n' + std::string(heading.size(), line.level < 3 ? '=' : '-') + '\n';
    } else {
      prose.append(line.text) += '\n';
    }
  }
  return text + without_marks(prose);
}

}  // namespace percycle
