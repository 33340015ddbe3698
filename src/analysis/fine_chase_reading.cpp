#include "analysis/fine_chase_reading.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace percycle {
namespace {

constexpr double kAllMiss = 0.95;
constexpr double kRepeats = 0.95;  // of a lap's loads that end as in an earlier lap

/// The share of loads that end as they did `period` loads before.
double repetition(const std::vector<bool>& misses, std::size_t period) {
  std::size_t same = 0;
  std::size_t all = 0;
  for (std::size_t i = period; i < misses.size(); ++i, ++all) same += misses[i] == misses[i - period] ? 1 : 0;
  return all == 0 ? 0 : static_cast<double>(same) / static_cast<double>(all);
}

}  // namespace

std::optional<std::string> replacement_of(const GeometryReader& reader, std::size_t level, const GeometryReader::Ways& ways,
                                          std::vector<std::string>& evidence) {
  if (ways.next_share >= kAllMiss) {
    evidence.push_back(fmt::format("with {} lines to a set of {} ways all loads miss: LRU", ways.ways + 1, ways.ways));
    return "lru";
  }
  const auto passes = reader.second_passes(level);
  if (passes.empty()) {
    evidence.push_back(fmt::format("with {} lines to a set of {} ways {:.0f} % of the loads miss: not LRU", ways.ways + 1,
                                   ways.ways, 100 * ways.next_share));
    return std::nullopt;
  }
  // A policy without chance repeats itself after at most a few laps (binary tree: after lines * 2^k loads, k small).
  double best = 0;
  double missed = 0;
  std::size_t loads = 0;
  for (const auto& pass : passes) {
    for (std::size_t laps = 1; laps <= 16 && 2 * laps * pass.lap <= pass.misses.size(); ++laps) {
      best = std::max(best, repetition(pass.misses, laps * pass.lap));
    }
    for (const bool miss : pass.misses) missed += miss ? 1 : 0;
    loads += pass.misses.size();
  }
  const bool repeats = best >= kRepeats;
  evidence.push_back(
      fmt::format("with {} lines to a set of {} ways {:.0f} % of the timed loads miss, {}", ways.ways + 1, ways.ways,
                  100 * missed / static_cast<double>(loads),
                  repeats ? "in a pattern that repeats: pseudo-LRU" : "without a pattern: random or not most recently used"));
  return repeats ? "pseudo-lru" : "random";
}

}  // namespace percycle
