#include "analysis/sharing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "analysis/disturbance.hpp"
#include "analysis/known_readings.hpp"
#include "analysis/path_curve.hpp"
#include "analysis/seen_level.hpp"
#include "core/units.hpp"
#include "vocabulary/sharing.hpp"

namespace percycle {
namespace {

/// The levels of one path and the nanoseconds per unit of its curve.
struct WalkedLevels {
  CurveReading reading;
  LatencyUnit unit = LatencyUnit::cycles;
  double ns_per_unit = 1;

  WalkedLevels() = default;
  WalkedLevels(std::span<const PointResult> results, const std::string& path) {
    const PathCurves curves = path_curves(results, path);
    if (!curves.best().empty()) reading = known_reading(curves.best());
    unit = curves.unit;
    ns_per_unit = curves.ns_per_unit;
  }
};

std::string word_or_none(const Point& point, const std::string& name) {
  const std::string* text = find_word(point.parameters, name);
  return text == nullptr ? std::string() : *text;
}

void add_evidence(std::vector<std::string>& evidence, const Disturbance& disturbance, const std::string& together) {
  evidence.push_back(fmt::format("{} adds {:.1f} % of the cost of a miss (error {:.1f} %)", together, 100 * disturbance.share,
                                 100 * disturbance.error));
}

/// The four latencies of one pair of paths, by the bytes of the first and second chain.
using Square = std::map<std::pair<std::int64_t, std::int64_t>, CurveSample>;

/// Compares the corners of the largest and smallest chains; empty if one is missing. In
/// nanoseconds, because the curves of the paths may differ in unit.
std::optional<PathSharing> judge_paths(const Square& square, const std::string& first, const std::string& second,
                                       const WalkedLevels& first_levels, const WalkedLevels& second_levels) {
  const auto first_cost = miss_cost(first_levels.reading, 0);
  const auto second_cost = miss_cost(second_levels.reading, 0);
  if (!first_cost || !second_cost) return std::nullopt;
  std::pair<std::int64_t, std::int64_t> small{INT64_MAX, INT64_MAX};
  std::pair<std::int64_t, std::int64_t> large{0, 0};
  for (const auto& [bytes, sample] : square) {
    small = {std::min(small.first, bytes.first), std::min(small.second, bytes.second)};
    large = {std::max(large.first, bytes.first), std::max(large.second, bytes.second)};
  }
  const auto both = square.find(large);
  const auto only_first = square.find({large.first, small.second});
  const auto only_second = square.find({small.first, large.second});
  const auto neither = square.find(small);
  if (small.first == large.first || small.second == large.second) return std::nullopt;
  for (const auto& corner : {both, only_first, only_second, neither}) {
    if (corner == square.end()) return std::nullopt;
  }
  // The latency of both if the chains do not meet.
  const CurveSample apart{0, only_first->second.value + only_second->second.value - neither->second.value,
                          std::hypot(std::hypot(only_first->second.error, only_second->second.error), neither->second.error)};
  // Each chain has half of the loads.
  const double cost = (*first_cost * first_levels.ns_per_unit + *second_cost * second_levels.ns_per_unit) / 2;
  const Disturbance found = disturbance(both->second, apart, cost);
  PathSharing sharing{
      first,
      second,
      found.evicts(),
      found.certainty() * std::min(first_levels.reading.levels[0].confidence, second_levels.reading.levels[0].confidence),
      {}};
  add_evidence(sharing.evidence, found,
               fmt::format("walking {} of {} and {} of {} in turns", format_bytes(static_cast<std::uint64_t>(large.first)), first,
                           format_bytes(static_cast<std::uint64_t>(large.second)), second));
  return sharing;
}

/// Latencies of chains of one size, by number of work-groups (one or two).
using Groups = std::map<std::int64_t, CurveSample>;

std::optional<UnitSharing> judge_units(const Groups& groups, const std::string& path, std::int64_t bytes,
                                       const WalkedLevels& path_levels) {
  const auto& levels = path_levels.reading.levels;
  const auto level =
      std::find_if(levels.begin(), levels.end(), [&](const CurveLevel& each) { return each.size >= static_cast<double>(bytes); });
  const auto number = static_cast<std::size_t>(level - levels.begin());
  const auto cost = miss_cost(path_levels.reading, number);
  const auto alone = groups.find(1);
  const auto together = groups.find(2);
  if (!cost || alone == groups.end() || together == groups.end()) return std::nullopt;
  const Disturbance found = disturbance(together->second, alone->second, *cost);
  UnitSharing sharing{path,
                      number + 1,
                      static_cast<std::uint64_t>(level->size),
                      found.evicts(),
                      found.certainty() * level->confidence,
                      {},
                      static_cast<std::uint64_t>(bytes)};
  add_evidence(sharing.evidence, found,
               fmt::format("a second work-group that walks {} beside the {} of the first",
                           format_bytes(static_cast<std::uint64_t>(bytes)), format_bytes(static_cast<std::uint64_t>(bytes))));
  if (found.is_partial()) doubt(sharing, "a part of the loads misses: the chains may fill a shared cache only in part");
  return sharing;
}

}  // namespace

// Paths: chains A and B and small chains a and b are walked in turns. lat(A,B) - lat(A,b) -
// lat(a,B) + lat(a,b) is the cost of both large chains together, as a share of the cost if all
// loads of both missed. Units: the same for two work-groups and one. The level is the one that may
// hold one chain and not both (shared_levels.hpp). A finding is doubted if there is none, or if
// units seem to share nothing and the level may hold both chains or neither.
SharingReading read_sharing(std::span<const PointResult> results) {
  std::map<std::string, WalkedLevels> levels;
  const auto levels_of = [&](const std::string& path) -> const WalkedLevels& {
    const auto [found, is_new] = levels.try_emplace(path);
    if (is_new) found->second = WalkedLevels(results, path);
    return found->second;
  };
  std::map<std::pair<std::string, std::string>, Square> squares;
  std::map<std::string, std::map<std::int64_t, Groups>> units;
  for (const auto& result : results) {
    const Point& point = result.point;
    if (point.experiment != experiment::kSharing) continue;
    if (has_word(point.parameters, parameter::kTest, sharing_test::kPaths)) {
      const auto sample = latency_of(result, LatencyUnit::nanoseconds);
      const auto first = find_integer(point.parameters, parameter::kFirstBytes);
      const auto second = find_integer(point.parameters, parameter::kSecondBytes);
      if (sample && first && second) {
        squares[{word_or_none(point, parameter::kFirst), word_or_none(point, parameter::kSecond)}][{*first, *second}] = *sample;
      }
    }
    if (has_word(point.parameters, parameter::kTest, sharing_test::kUnits)) {
      const std::string path = word_or_none(point, parameter::kPath);
      const auto sample = latency_of(result, levels_of(path).unit);
      const auto bytes = find_integer(point.parameters, parameter::kBytes);
      const auto groups = find_integer(point.parameters, parameter::kGroups);
      if (sample && bytes && groups) units[path][*bytes][*groups] = *sample;
    }
  }
  SharingReading reading;
  for (const auto& [paths, square] : squares) {
    const auto& [first, second] = paths;
    if (auto sharing = judge_paths(square, first, second, levels_of(first), levels_of(second))) {
      reading.paths.push_back(std::move(*sharing));
    }
  }
  for (const auto& [path, by_bytes] : units) {
    for (const auto& [bytes, groups] : by_bytes) {
      if (auto sharing = judge_units(groups, path, bytes, levels_of(path))) reading.units.push_back(std::move(*sharing));
    }
  }
  return reading;
}

}  // namespace percycle
