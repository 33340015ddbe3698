#include "core/printable.hpp"

#include <algorithm>
#include <cstdint>

namespace percycle {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
constexpr std::string_view kEllipsis = "\xE2\x80\xA6";

/// The length in bytes of the first character, 0 if the text does not begin with one (The Unicode
/// Standard, table 3-7). Sets `code`.
std::size_t length_of_character(std::string_view text, std::uint32_t& code) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const std::uint32_t first = byte(0);
  if (first < 0x80u) {
    code = first;
    return 1;
  }
  const std::size_t length = first >= 0xf0u ? 4 : first >= 0xe0u ? 3 : 2;
  if (first < 0xc2u || first > 0xf4u) return 0;
  code = first & (0xffu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0u) != 0x80u) return 0;
    code = (code << 6u) | (byte(i) & 0x3fu);
  }
  static constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < kLeast[length] || code > 0x10ffffu || (code >= 0xd800u && code <= 0xdfffu)) return 0;
  return length;
}

/// Control characters, line and paragraph separators, and marks that reverse the direction of the
/// text or have no width.
bool is_hidden(std::uint32_t code) {
  return code < 0x20u || (code >= 0x7fu && code <= 0x9fu) || (code >= 0x200bu && code <= 0x200fu) ||
         (code >= 0x2028u && code <= 0x202eu) || (code >= 0x2060u && code <= 0x206fu) || code == 0xfeffu || code == 0xfffeu ||
         code == 0xffffu;
}

}  // namespace

std::string printable_lines(std::string_view text) {
  std::string clean;
  clean.reserve(text.size());
  while (!text.empty()) {
    std::uint32_t code = 0;
    const std::size_t length = length_of_character(text, code);
    const bool stays = length != 0 && (!is_hidden(code) || code == '\n' || code == '\t');
    clean += stays ? text.substr(0, length) : kReplacement;
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return clean;
}

std::string printable(std::string_view text, std::size_t most) {
  std::string clean;
  while (!text.empty()) {
    std::uint32_t code = 0;
    const std::size_t length = length_of_character(text, code);
    const std::string_view character = length == 0 || is_hidden(code) ? kReplacement : text.substr(0, length);
    if (clean.size() + character.size() > most) {
      while (!clean.empty() && clean.size() + kEllipsis.size() > most) {
        // Cut between characters: go back to a byte that begins one.
        while (!clean.empty() && (static_cast<unsigned char>(clean.back()) & 0xc0u) == 0x80u) clean.pop_back();
        if (!clean.empty()) clean.pop_back();
      }
      clean += kEllipsis;
      break;
    }
    clean += character;
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return clean;
}

}  // namespace percycle
