#include "json/rule.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

namespace percycle {
namespace {

constexpr std::size_t kQuoted = 20;  // characters quoted of a text that is too long

/// Whether a character class (the text between its brackets) contains the character.
bool has(std::string_view characters, char c) {
  for (std::size_t i = 0; i < characters.size(); ++i) {
    const bool is_range = i + 2 < characters.size() && characters[i + 1] == '-';
    const char last = is_range ? characters[i + 2] : characters[i];
    if (characters[i] <= c && c <= last) return true;
    if (is_range) i += 2;
  }
  return false;
}

}  // namespace

double rounded(const Rule& rule, double value) {
  if (rule.digits == 0) return value;
  if (value == 0 || !std::isfinite(value)) return 0;
  const double scale = std::pow(10.0, rule.digits - 1 - std::floor(std::log10(std::abs(value))));
  return std::round(value * scale) / scale;
}

bool matches(std::string_view pattern, std::string_view text) {
  pattern = pattern.substr(1, pattern.size() - 2);
  while (!pattern.empty()) {
    const bool is_class = pattern.front() == '[';
    const std::size_t end = is_class ? pattern.find(']') : 1;
    const std::string_view characters = is_class ? pattern.substr(1, end - 1) : pattern.substr(0, 1);
    pattern.remove_prefix(is_class ? end + 1 : 1);
    const auto other = std::find_if_not(text.begin(), text.end(), [&](char c) { return has(characters, c); });
    std::size_t count = 1;
    if (pattern.starts_with('+')) {
      count = std::max<std::size_t>(1, static_cast<std::size_t>(other - text.begin()));
      pattern.remove_prefix(1);
    } else if (pattern.starts_with('{')) {
      std::from_chars(pattern.data() + 1, pattern.data() + pattern.size(), count);
      pattern.remove_prefix(pattern.find('}') + 1);
    }
    if (static_cast<std::size_t>(other - text.begin()) < count) return false;
    text.remove_prefix(count);
  }
  return text.empty();
}

std::string Place::path() const {
  if (holder_ == nullptr) return {};
  std::string path = holder_->path();
  if (name_.data() == nullptr) return path + fmt::format("[{}]", index_);
  return path.empty() ? std::string(name_) : fmt::format("{}.{}", path, name_);
}

void Place::fail_with(const std::string& message) const {
  throw std::invalid_argument(fmt::format("{}: {}", holder_ == nullptr ? "the line" : path(), message));
}

void check_number(const Rule& rule, double value, const Place& place) {
  if (!std::isfinite(value)) place.fail("not a finite number");
  if (rule.at_least && value < *rule.at_least) place.fail("{} is below {}", value, *rule.at_least);
  if (rule.above && value <= *rule.above) place.fail("{} is not above {}", value, *rule.above);
}

void check_real(const Rule& rule, double value, const Place& place) {
  check_number(rule, value, place);
  if (std::abs(value) > kLargestNumber) place.fail("{} is beyond {}", value, kLargestNumber);
}

void check_text(const Rule& rule, std::string_view text, const Place& place) {
  if (text.size() < rule.fewest) place.fail("an empty text");
  if (rule.longest > 0 && text.size() > rule.longest)
    place.fail("'{}...' has {} characters, more than {}", text.substr(0, kQuoted), text.size(), rule.longest);
  if (!rule.pattern.empty() && !matches(rule.pattern, text)) place.fail("'{}' does not fit {}", text, rule.pattern);
  if (rule.one_of.empty() || std::find(rule.one_of.begin(), rule.one_of.end(), text) != rule.one_of.end()) return;
  place.fail("'{}' is not {}", text, fmt::join(rule.one_of, " or "));
}

void check_size(const Rule& rule, std::size_t size, std::string_view noun, const Place& place) {
  if (size < rule.fewest) place.fail("{} {}, not at least {}", size, noun, rule.fewest);
}

}  // namespace percycle
