#include "analysis/unit_groups.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

#include "analysis/thresholds.hpp"

namespace percycle {
namespace {

UnitGroup group_of(const std::vector<std::pair<double, std::uint32_t>>& nearest, std::size_t begin, std::size_t end) {
  UnitGroup group{{}, nearest[begin].first, nearest[end - 1].first};
  for (std::size_t i = begin; i < end; ++i) group.units.push_back(nearest[i].second);
  std::sort(group.units.begin(), group.units.end());
  return group;
}

}  // namespace

std::vector<UnitGroup> unit_groups(const std::vector<UnitPairTime>& distances) {
  std::map<std::uint32_t, double> least;
  for (const auto& distance : distances) {
    for (const std::uint32_t unit : {distance.first, distance.second}) {
      const auto [found, is_new] = least.emplace(unit, distance.ns);
      if (!is_new) found->second = std::min(found->second, distance.ns);
    }
  }
  if (least.empty()) return {};
  std::vector<std::pair<double, std::uint32_t>> nearest;
  for (const auto& [unit, ns] : least) nearest.emplace_back(ns, unit);
  std::sort(nearest.begin(), nearest.end());

  std::size_t widest = 0;  // the gap behind unit number `widest`
  double gap = 0;
  double next = 0;
  for (std::size_t i = 0; i + 1 < nearest.size(); ++i) {
    const double here = nearest[i + 1].first - nearest[i].first;
    if (here > gap) {
      next = std::exchange(gap, here);
      widest = i;
    } else {
      next = std::max(next, here);
    }
  }
  const bool splits = gap > group_thresholds.gap_share * nearest[widest].first && gap > group_thresholds.gap_factor * next &&
                      widest > 0 && widest + 2 < nearest.size();
  if (!splits) return {group_of(nearest, 0, nearest.size())};
  return {group_of(nearest, 0, widest + 1), group_of(nearest, widest + 1, nearest.size())};
}

}  // namespace percycle
