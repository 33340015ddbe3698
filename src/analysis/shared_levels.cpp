#include "analysis/shared_levels.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "analysis/seen_level.hpp"
#include "analysis/thresholds.hpp"

namespace percycle {
namespace {

using Levels = std::vector<const HierarchyLevel*>;

Levels levels_of(std::span<const HierarchyLevel> levels, const std::string& path) {
  Levels found;
  for (const auto& level : levels) {
    if (level.path == path) found.push_back(&level);
  }
  return found;
}

double distance(std::uint64_t a, std::uint64_t b) { return std::abs(std::log(static_cast<double>(a) / static_cast<double>(b))); }

/// The level that may hold one chain but not two, closest to the size that the walks were laid out
/// for.
Levels::const_iterator walked_level(const Levels& levels, const UnitSharing& sharing) {
  auto closest = levels.end();
  for (auto each = levels.begin(); each != levels.end(); ++each) {
    const bool may_hold_one = (*each)->size_high >= sharing.walked_bytes;
    const bool may_miss_two = (*each)->size_low < 2 * sharing.walked_bytes;
    if (!may_hold_one || !may_miss_two) continue;
    if (closest == levels.end() ||
        distance((*each)->size_bytes, sharing.size_bytes) < distance((*closest)->size_bytes, sharing.size_bytes))
      closest = each;
  }
  return closest;
}

void adopt_level(UnitSharing& sharing, const Levels& levels) {
  const auto level = walked_level(levels, sharing);
  if (level == levels.end()) {
    doubt(sharing, "the path has no level that holds one of these chains and not both");
    return;
  }
  sharing.level = static_cast<std::size_t>(level - levels.begin()) + 1;
  sharing.size_bytes = (*level)->size_bytes;
  sharing.confidence = std::min(sharing.confidence, (*level)->confidence);
  const bool fits_surely = (*level)->size_low >= sharing.walked_bytes && (*level)->size_high < 2 * sharing.walked_bytes;
  if (!sharing.shared && !fits_surely) doubt(sharing, "by its bounds the level may hold both chains or neither");
}

}  // namespace

void adopt_levels(SharingReading& sharing, std::span<const HierarchyLevel> levels) {
  for (auto& pair : sharing.paths) {
    for (const auto& path : {pair.first, pair.second}) {
      const Levels found = levels_of(levels, path);
      if (found.empty()) {
        doubt(pair, path + " has no level");
      } else {
        pair.confidence = std::min(pair.confidence, found.front()->confidence);
      }
    }
  }
  for (auto& unit : sharing.units) adopt_level(unit, levels_of(levels, unit.path));
}

}  // namespace percycle
