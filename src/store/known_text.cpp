#include "store/known_text.hpp"

#include <algorithm>
#include <cctype>
#include <regex>
#include <set>

#include "store/known_words.hpp"

namespace percycle {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::string_view kBrackets = "([{<>}])'\"%";
constexpr std::string_view kEnds = ".,;:!?";
constexpr std::string_view kSigns = "+-*/=&|x@";
constexpr std::string_view kJoints = "-_./,=:()";
constexpr const char* kCut = "...";

std::set<std::string, std::less<>> words_of_list() {
  std::set<std::string, std::less<>> words;
  const std::string_view text = known_words("known_words.txt");
  for (std::size_t end = 0, start = 0; (start = text.find_first_not_of(kBlanks, end)) != std::string_view::npos;) {
    end = std::min(text.find_first_of(kBlanks, start), text.size());
    words.emplace(text.substr(start, end - start));
  }
  return words;
}

/// A number with its unit, a shape, a version or a short hexadecimal number.
bool is_number(const std::string& word) {
  // Serial numbers have seven digits or more, and few end in 000.
  static const std::regex kNumber(R"([+-]?\d{1,6}(000)*(\.\d+)?(e[+-]?\d{1,3})?(%|[a-z]*))");
  static const std::regex kOther(R"((\d{1,6}x)+\d{1,6}|\d{1,4}(\.\d{1,5}){2}|0x[0-9a-f]{1,4})");
  std::smatch match;
  if (std::regex_match(word, kOther)) return true;
  if (!std::regex_match(word, match, kNumber)) return false;
  const std::string unit = match.str(4);
  return unit.empty() || unit == "%" || is_known_word(unit);
}

bool is_known(const std::string& word);

/// Whether the words around one of the joints are known: "fp32-fma", "clock=2".
bool is_joined(const std::string& word) {
  const std::size_t joint = word.find_first_of(kJoints);
  if (joint == std::string::npos || joint == 0 || joint + 1 == word.size()) return false;
  const auto is_letter = [&](std::size_t at) { return std::isalpha(static_cast<unsigned char>(word[at])) != 0; };
  // Two numbers could be an address.
  return (is_letter(0) || is_letter(joint + 1)) && is_known(word.substr(0, joint)) && is_known(word.substr(joint + 1));
}

/// `word` in small letters, without the brackets and stops around it.
bool is_known(const std::string& word) {
  if (word.find_first_not_of(kSigns) == std::string::npos || is_known_word(word) || is_number(word)) return true;
  if (word.ends_with("'s") && is_known_word(word.substr(0, word.size() - 2))) return true;
  const std::size_t letters = word.find_last_not_of("0123456789") + 1;
  if (letters > 0 && word.size() - letters <= 3 && is_known_word(word.substr(0, letters))) return true;
  return is_joined(word);
}

bool is_known_token(std::string_view token) {
  const auto is_around = [](char c) { return kBrackets.find(c) != std::string_view::npos; };
  const auto is_end = [&](char c) { return is_around(c) || kEnds.find(c) != std::string_view::npos; };
  while (!token.empty() && is_end(token.back())) token.remove_suffix(1);
  while (!token.empty() && (is_around(token.front()) || token.front() == '.')) token.remove_prefix(1);
  std::string word(token);
  std::ranges::transform(word, word.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return is_known(word);
}

bool is_token_of_name(std::string_view token) {
  static const std::regex kToken(R"([\[(%]*[\w@+-][\w()\[\]+.,:\/~@-]*)", std::regex::ECMAScript);
  static const std::regex kSecret(R"([0-9a-f]{9,}|[0-9a-f]{2}:[0-9a-f]{2}|//|/$|\d{9,}|.@.)", std::regex::icase);
  return std::regex_match(token.begin(), token.end(), kToken) && !std::regex_search(token.begin(), token.end(), kSecret);
}

std::string part_of(std::string_view text, bool (*is_good)(std::string_view)) {
  std::size_t good = 0;
  for (std::size_t start = 0; (start = text.find_first_not_of(kBlanks, good)) != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(kBlanks, start), text.size());
    if (!is_good(text.substr(start, end - start))) return std::string(text.substr(0, good)) + (good == 0 ? "" : " ") + kCut;
    good = end;
  }
  return std::string(text);
}

}  // namespace

bool is_known_word(std::string_view word) {
  static const auto kWords = words_of_list();
  return kWords.contains(word);
}

std::string known_part(std::string_view text) { return part_of(text, is_known_token); }

std::string plain_name(std::string_view text) {
  return part_of(text, [](std::string_view token) { return token == kCut || is_token_of_name(token); });
}

}  // namespace percycle
