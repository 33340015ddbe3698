#include "report/reason_groups.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <functional>
#include <map>
#include <set>
#include <string_view>

namespace percycle {
namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// Whether a number may follow or precede this character.
bool separates(char c) { return c != '_' && c != '-' && std::isalnum(static_cast<unsigned char>(c)) == 0; }

/// The end of the number, perhaps with a sign, that begins at `begin`; `begin` if none does.
std::size_t end_of_number(std::string_view text, std::size_t begin) {
  std::size_t end = begin + (text[begin] == '+' || text[begin] == '-' ? 1 : 0);
  if (end == text.size() || !is_digit(text[end]) || (begin > 0 && !separates(text[begin - 1]))) return begin;
  while (end < text.size() && (is_digit(text[end]) || (text[end] == '.' && end + 1 < text.size() && is_digit(text[end + 1]))))
    ++end;
  return end == text.size() || separates(text[end]) ? end : begin;
}

/// A text whose numbers are taken out: words[0] numbers[0] words[1] ...
struct SplitReason {
  std::vector<std::string> words{""};
  std::vector<std::string> numbers;
};

SplitReason split_at_numbers(std::string_view text) {
  SplitReason split;
  for (std::size_t at = 0; at < text.size();) {
    if (const std::size_t end = end_of_number(text, at); end > at) {
      split.numbers.emplace_back(text.substr(at, end - at));
      split.words.emplace_back();
      at = end;
    } else {
      split.words.back() += text[at++];
    }
  }
  return split;
}

double number_value(const std::string& number) { return std::strtod(number.c_str(), nullptr); }

struct NumberRanges {
  std::vector<std::string> least;  // of each number
  std::vector<std::string> most;
  std::size_t points = 0;
};

void widen(NumberRanges& group, const std::vector<std::string>& numbers) {
  if (group.least.empty()) group.least = group.most = numbers;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    group.least[i] = std::ranges::min(group.least[i], numbers[i], {}, number_value);
    group.most[i] = std::ranges::max(group.most[i], numbers[i], {}, number_value);
  }
}

std::string group_text(const std::vector<std::string>& words, const NumberRanges& group) {
  std::string text = words.front();
  for (std::size_t i = 0; i < group.least.size(); ++i) {
    text += group.least[i];
    if (group.most[i] != group.least[i]) text += " to " + group.most[i];
    text += words[i + 1];
  }
  return text;
}

}  // namespace

std::vector<ReasonGroup> group_reasons(const std::vector<PointReasons>& points) {
  std::map<std::vector<std::string>, NumberRanges> groups;
  for (const PointReasons& reasons : points) {
    std::set<const NumberRanges*> counted;
    for (const std::string& reason : reasons) {
      const SplitReason split = split_at_numbers(reason);
      NumberRanges& group = groups[split.words];
      if (counted.insert(&group).second) ++group.points;
      widen(group, split.numbers);
    }
  }
  std::vector<ReasonGroup> sorted;
  for (const auto& [words, group] : groups) sorted.push_back({group_text(words, group), group.points});
  std::ranges::stable_sort(sorted, std::ranges::greater{}, &ReasonGroup::points);
  return sorted;
}

}  // namespace percycle
