#include "session/labelled_lines.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace percycle {
namespace {

constexpr std::size_t kColumns = 100;
constexpr std::size_t kLabelColumns = 16;

std::string ascii(std::string_view text) {
  std::string result;
  bool replaced = false;
  for (const char c : text) {
    const bool printable = c >= ' ' && c <= '~';
    if (printable) result += c;
    if (!printable && !replaced) result += '?';  // once per character
    replaced = !printable;
  }
  return result;
}

}  // namespace

void LabelledLines::field(std::size_t indent, std::string_view label, std::string_view text) {
  std::string line = fmt::format("{:{}}{:<{}}", "", indent, label, kLabelColumns);
  std::size_t start = line.size();
  const std::string words = ascii(text);
  const std::size_t rest = start + (words.starts_with("- ") ? 2 : 0);
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t end = std::min(words.find(' ', at), words.size());
    if (line.size() > start && line.size() + 1 + (end - at) > kColumns) {
      this->line(line);
      line.assign(rest, ' ');
      start = rest;
    }
    if (line.size() > start) line += ' ';
    line.append(words, at, end - at);
    at = end + 1;
  }
  this->line(line);
}

void LabelledLines::line(std::string_view text) {
  text_ += ascii(text.substr(0, text.find_last_not_of(' ') + 1));
  text_ += '\n';
}

}  // namespace percycle
