#include "report/wrap.hpp"

#include <algorithm>

#include "report/text_table.hpp"

namespace percycle {
namespace {

constexpr std::size_t kDeeper = 4;

/// The break of a line that is too long: its last blank that fits after `begin`, else its first
/// one; npos if it has none.
std::size_t break_of(std::string_view line, std::size_t begin, std::size_t columns) {
  std::size_t found = std::string_view::npos;
  for (std::size_t blank = line.find(' ', begin); blank != std::string_view::npos; blank = line.find(' ', blank + 1)) {
    if (found != std::string_view::npos && display_width(line.substr(0, blank)) > columns) break;
    found = blank;
  }
  return found;
}

void add_line(std::string& text, std::string line, std::size_t columns) {
  const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
  const std::string deeper(begin + kDeeper, ' ');
  std::size_t words = begin;
  while (display_width(line) > columns) {
    const std::size_t blank = break_of(line, words, columns);
    if (blank == std::string::npos) break;
    text.append(line, 0, line.find_last_not_of(' ', blank) + 1);
    text += '\n';
    line = deeper + line.substr(std::min(line.find_first_not_of(' ', blank), line.size()));
    words = deeper.size();
  }
  text += line;
}

}  // namespace

std::string wrap_lines(std::string_view text, std::size_t columns) {
  std::string wrapped;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    add_line(wrapped, std::string(text.substr(at, end - at)), columns);
    if (end < text.size()) wrapped += '\n';
    at = end + 1;
  }
  return wrapped;
}

}  // namespace percycle
