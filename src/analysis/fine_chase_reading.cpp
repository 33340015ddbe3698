#include "analysis/fine_chase_reading.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/thresholds.hpp"
#include "stats/summary.hpp"

namespace percycle {
namespace {

/// The share of misses that also missed `period` loads before; empty if there are too few.
std::optional<double> repetition(const std::vector<bool>& misses, std::size_t period) {
  std::size_t again = 0;
  std::size_t all = 0;
  for (std::size_t i = period; i < misses.size(); ++i) {
    if (!misses[i]) continue;
    ++all;
    if (misses[i - period]) ++again;
  }
  if (static_cast<double>(all) < replacement_thresholds.fewest_misses) return std::nullopt;
  return static_cast<double>(again) / static_cast<double>(all);
}

}  // namespace

std::optional<std::string> replacement_of(const GeometryReader& reader, std::size_t level, const GeometryReader::Ways& ways,
                                          std::vector<std::string>& evidence) {
  if (ways.next_share >= replacement_thresholds.all_miss) {
    evidence.push_back(
        fmt::format("with {} lines in a set of {} ways all loads miss: LRU, or a pseudo-LRU tree with the same misses",
                    ways.ways + 1, ways.ways));
    return "lru";
  }
  const auto passes = reader.second_passes(level, ways);
  if (passes.empty()) {
    evidence.push_back(fmt::format("with {} lines in a set of {} ways {:.0f} % of the loads miss: not LRU", ways.ways + 1,
                                   ways.ways, 100 * ways.next_share));
    return std::nullopt;
  }
  // A policy without chance repeats itself after a few laps (a binary tree after a power of two).
  // Random replacement misses again at the same place no more often than anywhere.
  std::vector<double> best;
  std::vector<double> between;
  double missed = 0;
  std::size_t loads = 0;
  for (const auto& pass : passes) {
    std::optional<double> most;
    for (std::size_t laps = 1; 2 * laps * pass.lap <= pass.misses.size(); ++laps) {
      const auto share = repetition(pass.misses, laps * pass.lap);
      if (share) most = std::max(most.value_or(0), *share);
    }
    if (most) best.push_back(*most);
    between.push_back(pass.between);
    missed += static_cast<double>(std::count(pass.misses.begin(), pass.misses.end(), true));
    loads += pass.misses.size();
  }
  const double share = missed / static_cast<double>(loads);
  if (2 * best.size() < passes.size()) {
    evidence.push_back(fmt::format(
        "with {} lines in a set of {} ways {:.0f} % of the timed loads miss: not LRU, too few misses to name the policy",
        ways.ways + 1, ways.ways, 100 * share));
    return std::nullopt;
  }
  if (median(between) > replacement_thresholds.blurred) {
    evidence.push_back(
        fmt::format("with {} lines in a set of {} ways {:.0f} % of the loads miss: not LRU, noise hides the policy",
                    ways.ways + 1, ways.ways, 100 * ways.next_share));
    return std::nullopt;
  }
  const bool repeats = median(best) >= share + replacement_thresholds.repeats * (1 - share);
  evidence.push_back(
      fmt::format("with {} lines in a set of {} ways {:.0f} % of the timed loads miss, {}", ways.ways + 1, ways.ways, 100 * share,
                  repeats ? "in a pattern that repeats: pseudo-LRU" : "without a pattern: random or not most recently used"));
  return repeats ? "pseudo-lru" : "random";
}

}  // namespace percycle
