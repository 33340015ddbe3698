#include "analysis/private_copies.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "analysis/disturbance.hpp"
#include "analysis/path_curve.hpp"
#include "analysis/seen_level.hpp"
#include "analysis/thresholds.hpp"
#include "core/units.hpp"
#include "vocabulary/private_caches.hpp"

namespace percycle {
namespace {

/// Latencies of subgroup 0, all for one chain size.
struct Latencies {
  std::map<std::int64_t, CurveSample> counts;  ///< by number of walking subgroups
  std::map<std::int64_t, CurveSample> pairs;   ///< by the other subgroup
};

/// Takes the chain size with the most points, because a finer curve may have changed the size.
Latencies latencies_of(std::span<const PointResult> results, const std::string& path, LatencyUnit unit, std::int64_t& bytes) {
  std::map<std::int64_t, Latencies> by_bytes;
  for (const auto& result : results) {
    const Point& point = result.point;
    if (point.experiment != experiment::kPrivateCaches || !has_word(point.parameters, parameter::kPath, path)) continue;
    const auto size = find_integer(point.parameters, parameter::kBytes);
    const auto sample = latency_of(result, unit);
    if (!size || !sample) continue;
    const auto active = find_integer(point.parameters, parameter::kActive);
    const auto other = find_integer(point.parameters, parameter::kOther);
    if (active && has_word(point.parameters, parameter::kTest, private_caches_test::kCount))
      by_bytes[*size].counts[*active] = *sample;
    if (other && has_word(point.parameters, parameter::kTest, private_caches_test::kPair))
      by_bytes[*size].pairs[*other] = *sample;
  }
  Latencies most;
  for (auto& [size, each] : by_bytes) {
    if (each.counts.size() + each.pairs.size() <= most.counts.size() + most.pairs.size()) continue;
    most = std::move(each);
    bytes = size;
  }
  return most;
}

/// The decisions of one method, by subgroup or by count.
struct Decisions {
  std::map<std::int64_t, Disturbance> by_number;

  std::vector<std::int64_t> evicting() const {
    std::vector<std::int64_t> found;
    for (const auto& [number, disturbance] : by_number) {
      if (disturbance.evicts()) found.push_back(number);
    }
    return found;
  }
  double certainty() const {
    double least = 1;
    for (const auto& [number, disturbance] : by_number) least = std::min(least, disturbance.certainty());
    return least;
  }
};

Decisions decide(const std::map<std::int64_t, CurveSample>& latencies, const CurveSample& alone, double cost) {
  Decisions decisions;
  for (const auto& [number, sample] : latencies) decisions.by_number[number] = disturbance(sample, alone, cost);
  return decisions;
}

/// The period, if exactly its multiples share with subgroup 0.
std::optional<std::uint32_t> period(const Decisions& pairs, const std::vector<std::int64_t>& sharing) {
  const std::int64_t first = sharing.front();
  const bool in_turn = std::all_of(pairs.by_number.begin(), pairs.by_number.end(),
                                   [&](const auto& pair) { return pair.second.evicts() == (pair.first % first == 0); });
  return in_turn ? std::optional(static_cast<std::uint32_t>(first)) : std::nullopt;
}

void add_pair_evidence(std::vector<std::string>& evidence, const Decisions& pairs, const std::vector<std::int64_t>& sharing,
                       std::int64_t bytes) {
  double least_sharing = INFINITY;
  double most_apart = -INFINITY;
  for (const auto& [other, disturbance] : pairs.by_number) {
    if (disturbance.evicts()) {
      least_sharing = std::min(least_sharing, disturbance.share);
    } else {
      most_apart = std::max(most_apart, disturbance.share);
    }
  }
  const auto chains = fmt::format("chains of {} each", format_bytes(static_cast<std::uint64_t>(bytes)));
  if (!sharing.empty()) {
    evidence.push_back(fmt::format("{}: subgroup {} slows subgroup 0 by at least {:.0f} % of a miss", chains,
                                   fmt::join(sharing, ", "), 100 * least_sharing));
  }
  if (sharing.size() < pairs.by_number.size()) {
    evidence.push_back(fmt::format("{}: {} by at most {:.1f} % of a miss", chains,
                                   sharing.empty() ? "no other subgroup slows subgroup 0, or only" : "the others slow it",
                                   100 * std::max(0.0, most_apart)));
  }
}

}  // namespace

// Pairs: the chain of subgroup 0 runs with the chain of one other subgroup. If exactly every p-th
// subgroup evicts it, there are p copies, assigned in turn. Otherwise the number of copies is the
// number of subgroups divided by the size of the sharing group.
//
// Counts: the number of subgroups from which on subgroup 0 misses. The first subgroup that shares
// its copy should cause this.
//
// The confidence is the confidence of the first level times the certainty of the least certain
// decision (Disturbance::certainty), times 0.8 if one method is missing or 0.3 if they disagree,
// times 0.5 if no two subgroups share a copy, because there may be more of both.
std::optional<PrivateCopies> read_private_copies(std::span<const PointResult> results, const std::string& path,
                                                 const CurveReading& reading) {
  const auto cost = miss_cost(reading, 0);
  if (!cost) return std::nullopt;
  std::int64_t bytes = 0;
  Latencies latencies = latencies_of(results, path, latency_unit(results, path), bytes);
  const auto one = latencies.counts.extract(1);
  if (one.empty() || latencies.pairs.empty()) return std::nullopt;
  const CurveSample alone = one.mapped();

  const Decisions pairs = decide(latencies.pairs, alone, *cost);
  const Decisions counts = decide(latencies.counts, alone, *cost);
  const auto sharing = pairs.evicting();
  const auto slowed = counts.evicting();
  const auto subgroups = static_cast<std::uint32_t>(latencies.pairs.rbegin()->first + 1);

  const double certainty = std::min(pairs.certainty(), counts.certainty());
  const CurveLevel& first = reading.levels.front();
  PrivateCopies found{path, subgroups, first.confidence * certainty, {}};
  add_pair_evidence(found.evidence, pairs, sharing, bytes);
  // Chains that are longer than a copy disturb themselves.
  if (first.size_high > hierarchy_thresholds.widest_interval * first.size_low) {
    doubt(found, "the size of the first level is uncertain, so the chains may be too long or too short");
  }
  if (sharing.empty()) {
    doubt(found, fmt::format("no two of {} subgroups share a copy, so there may be more copies", subgroups),
          copies_thresholds.none_shared);
  } else if (const auto copies = period(pairs, sharing)) {
    found.per_unit = *copies;
  } else {
    found.per_unit = static_cast<std::uint32_t>(std::lround(subgroups / static_cast<double>(sharing.size() + 1)));
    found.evidence.push_back(
        fmt::format("subgroup 0 shares its copy with {} of {} subgroups, at no fixed distance", sharing.size(), subgroups - 1));
    if (subgroups % (sharing.size() + 1) != 0) found.confidence *= copies_thresholds.irregular;
  }

  if (counts.by_number.empty()) {
    found.confidence *= copies_thresholds.one_method;
    return found;
  }
  const auto first_slow = slowed.empty() ? std::optional<std::int64_t>{} : slowed.front();
  const auto expected = sharing.empty() ? std::optional<std::int64_t>{} : sharing.front() + 1;
  found.evidence.push_back(
      first_slow ? fmt::format("subgroup 0 misses if {} or more subgroups walk at once", *first_slow)
                 : fmt::format("subgroup 0 never misses, not even with {} others", counts.by_number.rbegin()->first - 1));
  if (first_slow != expected) {
    found.confidence *= copies_thresholds.disagreement;
    found.evidence.push_back(expected ? fmt::format("pairs predict misses from {} subgroups on: the methods disagree", *expected)
                                      : std::string("pairs predict no misses: the methods disagree"));
    // If no pair shares, the counts decide: one subgroup fewer walks undisturbed.
    if (sharing.empty()) found.per_unit = static_cast<std::uint32_t>(*first_slow - 1);
  }
  return found;
}

}  // namespace percycle
