#include "limits/close_names.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace percycle {
namespace {

constexpr std::size_t kMost = 5;

/// Levenshtein's distance: the number of insertions, removals and replacements.
std::size_t edit_distance(std::string_view left, std::string_view right) {
  std::vector<std::size_t> row(right.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < left.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < right.size(); ++j) {
      const std::size_t replaced = diagonal + (left[i] == right[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

/// The distance of `name` from `candidate` without any number of its first words; 0 if `candidate`
/// contains it.
std::size_t distance(std::string_view name, std::string_view candidate) {
  if (candidate.find(name) != std::string_view::npos) return 0;
  std::size_t best = edit_distance(name, candidate);
  for (std::size_t space = candidate.find(' '); space != std::string_view::npos; space = candidate.find(' ', space + 1)) {
    best = std::min(best, edit_distance(name, candidate.substr(space + 1)));
  }
  return best;
}

}  // namespace

std::string lower_case(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
  return result;
}

std::vector<std::string> close_names(std::string_view name, const std::vector<std::string>& known) {
  const std::string wanted = lower_case(name);
  std::vector<std::pair<std::size_t, std::string>> close;
  for (const std::string& candidate : known) {
    const std::size_t slips = distance(wanted, lower_case(candidate));
    const bool listed = std::any_of(close.begin(), close.end(), [&](const auto& other) { return other.second == candidate; });
    if (slips * 3 <= wanted.size() && !listed) close.emplace_back(slips, candidate);
  }
  std::stable_sort(close.begin(), close.end(), [](const auto& left, const auto& right) { return left.first < right.first; });
  if (close.size() > kMost) close.resize(kMost);
  std::vector<std::string> names;
  for (auto& [slips, candidate] : close) names.push_back(std::move(candidate));
  return names;
}

}  // namespace percycle
