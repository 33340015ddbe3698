#include "store/secrets.hpp"

#include <array>
#include <cctype>
#include <regex>
#include <utility>

namespace percycle {
namespace {

struct Secret {
  std::regex pattern;
  const char* replacement;
};

const std::array<Secret, 6>& secrets() {
  constexpr auto kSyntax = std::regex::ECMAScript | std::regex::icase | std::regex::optimize;
  // The character before a path keeps "B/unit/cycle" and "and/or" whole.
  static const std::array<Secret, 6> kSecrets{
      {{std::regex(R"((GPU-|MIG-)?\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b)", kSyntax), "<uuid>"},
       {std::regex(R"(\b[0-9a-f]{32}\b)", kSyntax), "<uuid>"},
       {std::regex(R"(\b([0-9a-f]{4,8}:)?[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]\b)", kSyntax), "<pci>"},
       {std::regex(R"(\b(serial( number| no\.?)?)[\s:=#]+[\w-]*\d[\w-]*)", kSyntax), "$1 <serial>"},
       {std::regex(R"(\b[a-z]:\\[^\s"'<>|]+)", kSyntax), "<path>"},
       {std::regex(R"((^|[\s"'`(=\[<:,;])(~|\.{1,2})?/[\w.~+-][^\s"'`)\]>,;:]*)", kSyntax), "$1<path>"}}};
  return kSecrets;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

void remove_name(std::string& text, const std::string& name) {
  constexpr std::string_view kReplacement = "<name>";
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at)) {
    const std::size_t end = at + name.size();
    const bool is_whole = (at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end]));
    if (is_whole) text.replace(at, name.size(), kReplacement);
    at += is_whole ? kReplacement.size() : 1;
  }
}

}  // namespace

std::string without_secrets(std::string_view text, const std::vector<std::string>& names) {
  std::string clean(text);
  for (const Secret& secret : secrets()) clean = std::regex_replace(clean, secret.pattern, secret.replacement);
  for (const std::string& name : names) {
    if (!name.empty()) remove_name(clean, name);
  }
  return clean;
}

}  // namespace percycle
