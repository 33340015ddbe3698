#include "codegen/assembly/lines.hpp"

#include <algorithm>
#include <charconv>

namespace percycle::isa {
namespace {

std::vector<std::string_view> split(std::string_view text, std::string_view separators, bool keep_empty) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(separators), text.size());
    if (end > 0 || keep_empty) parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

}  // namespace

std::vector<std::string_view> lines(std::string_view text) { return split(text, "\n", true); }

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::vector<std::string_view> words(std::string_view text) { return split(text, " \t,", false); }

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

unsigned leading_number(std::string_view text) {
  unsigned number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

unsigned number_behind(std::string_view text, std::string_view name) {
  const std::size_t at = text.find(name);
  return at == std::string_view::npos ? 0 : leading_number(text.substr(at + name.size()));
}

unsigned trailing_number(std::string_view text) {
  const std::size_t last = text.find_last_not_of("0123456789");
  const std::string_view digits = last == std::string_view::npos ? text : text.substr(last + 1);
  unsigned number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

}  // namespace percycle::isa
