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

double missed_share(const std::vector<GeometryReader::SecondPass>& passes) {
  double missed = 0;
  double loads = 0;
  for (const auto& pass : passes) {
    missed += static_cast<double>(std::count(pass.misses.begin(), pass.misses.end(), true));
    loads += static_cast<double>(pass.misses.size());
  }
  return missed / loads;
}

bool is_blurred(const std::vector<GeometryReader::SecondPass>& passes) {
  std::vector<double> between;
  for (const auto& pass : passes) between.push_back(pass.between);
  return median(between) > replacement_thresholds.blurred;
}

}  // namespace

bool has_more_ways(const GeometryReader& reader, std::size_t level, const GeometryReader::Ways& ways) {
  if (level > 0 || ways.next_share >= replacement_thresholds.all_miss) return false;
  const auto passes = reader.second_passes(level, ways);
  if (passes.empty() || is_blurred(passes)) return false;
  return missed_share(passes) * (ways.ways + 1) < replacement_thresholds.misses_per_lap;
}

std::optional<std::string> replacement_of(const GeometryReader& reader, std::size_t level, const GeometryReader::Ways& ways,
                                          std::vector<std::string>& evidence) {
  if (ways.next_share >= replacement_thresholds.all_miss) {
    evidence.push_back(
        fmt::format("with {} lines in a set of {} ways, all loads miss: LRU, or a pseudo-LRU tree with the same misses",
                    ways.ways + 1, ways.ways));
    return "lru";
  }
  const auto passes = reader.second_passes(level, ways);
  if (passes.empty()) {
    evidence.push_back(fmt::format("with {} lines in a set of {} ways, {:.0f} % of the loads miss: not LRU", ways.ways + 1,
                                   ways.ways, 100 * ways.next_share));
    return std::nullopt;
  }
  // A policy without chance repeats itself after a few laps (a binary tree after a power of two).
  // Random replacement misses again at the same place no more often than anywhere.
  std::vector<double> best;
  for (const auto& pass : passes) {
    std::optional<double> most;
    for (std::size_t laps = 1; 2 * laps * pass.lap <= pass.misses.size(); ++laps) {
      const auto share = repetition(pass.misses, laps * pass.lap);
      if (share) most = std::max(most.value_or(0), *share);
    }
    if (most) best.push_back(*most);
  }
  const double share = missed_share(passes);
  if (2 * best.size() < passes.size()) {
    evidence.push_back(fmt::format(
        "with {} lines in a set of {} ways, {:.0f} % of the timed loads miss: not LRU, but too few misses to name the policy",
        ways.ways + 1, ways.ways, 100 * share));
    return std::nullopt;
  }
  if (is_blurred(passes)) {
    evidence.push_back(
        fmt::format("with {} lines in a set of {} ways, {:.0f} % of the loads miss: not LRU, but noise hides the policy",
                    ways.ways + 1, ways.ways, 100 * ways.next_share));
    return std::nullopt;
  }
  const bool repeats = median(best) >= share + replacement_thresholds.repeats * (1 - share);
  evidence.push_back(
      fmt::format("with {} lines in a set of {} ways, {:.0f} % of the timed loads miss {}", ways.ways + 1, ways.ways, 100 * share,
                  repeats ? "in a pattern that repeats: pseudo-LRU" : "without a pattern: random, or any policy but MRU"));
  return repeats ? "pseudo-lru" : "random";
}

}  // namespace percycle
