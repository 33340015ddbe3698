#include "report/comparison_edges.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "core/parameters.hpp"
#include "report/finding_changes.hpp"
#include "report/footprint_curves.hpp"
#include "vocabulary/chases.hpp"

namespace percycle {
namespace {

/// Points of one cache moved this far on H100 and H200: the start and the slope of its rise depend
/// on the place of the buffer.
constexpr double kShift = 1.25;
/// A rise is over at this multiple of its cache's size, except for a tail of random replacement.
constexpr double kRiseEnd = 2;

/// The footprints on the rise behind a cache, and the largest shift of the edge.
struct EdgeZone {
  std::string path;
  double low = 0;
  double high = 0;
  double shift = kShift;

  bool holds(const std::string* of_path, double footprint) const {
    return (of_path == nullptr || *of_path == path) && footprint >= low && footprint <= high;
  }
};

EdgeZone zone_behind(const HierarchyLevel& level) {
  return {level.path, static_cast<double>(level.size_low) / kShift, static_cast<double>(level.size_high) * kRiseEnd, kShift};
}

std::vector<EdgeZone> edge_zones(const Hierarchy& before, const Hierarchy& after, const std::vector<FindingChange>& sizes) {
  std::vector<EdgeZone> zones;
  for (const Hierarchy* side : {&before, &after}) {
    for (const HierarchyLevel& level : side->levels) zones.push_back(zone_behind(level));
  }
  for (const FindingChange& change : sizes) {
    if (change.verdict == ChangeVerdict::noise) continue;
    const auto [low, high] = std::minmax(change.before, change.after);
    zones.push_back(
        {change.word(0), low / kShift, high * kRiseEnd, std::max(kShift, high / low * (1 + kFindingNoisePercent / 100))});
  }
  return zones;
}

/// Whether the curve has the value within the shift of the footprint. Between two of its points an
/// edge may be anywhere.
bool reaches(const FootprintCurve& curve, double footprint, double shift, double value) {
  auto low = curve.upper_bound(footprint / shift);
  if (low != curve.begin()) --low;
  auto high = curve.lower_bound(footprint * shift);
  if (high != curve.end()) ++high;
  const auto [least, greatest] = std::minmax_element(low, high, [](const auto& a, const auto& b) { return a.second < b.second; });
  return value >= least->second && value <= greatest->second;
}

}  // namespace

bool is_on_rise(const Hierarchy& hierarchy, const std::string& path, double footprint) {
  return std::ranges::any_of(hierarchy.levels,
                             [&](const HierarchyLevel& level) { return zone_behind(level).holds(&path, footprint); });
}

void mark_edges(std::map<std::string, ChangeRow>& rows, const EdgeSide& before, const EdgeSide& after,
                const std::vector<FindingChange>& sizes) {
  const std::vector<EdgeZone> zones = edge_zones(before.hierarchy, after.hierarchy, sizes);
  if (zones.empty()) return;
  const FootprintCurves before_curves = footprint_curves(before.side);
  const FootprintCurves after_curves = footprint_curves(after.side);
  for (auto& [question, row] : rows) {
    const auto footprint = find_integer(row.question.parameters, parameter::kFootprint);
    if (!footprint || row.verdict == ChangeVerdict::noise) continue;
    const auto bytes = static_cast<double>(*footprint);
    const std::string* path = find_word(row.question.parameters, parameter::kPath);
    double shift = 0;
    for (const EdgeZone& zone : zones) {
      if (zone.holds(path, bytes)) shift = std::max(shift, zone.shift);
    }
    if (shift == 0) continue;
    const std::string curve = curve_name(row.question);
    if (reaches(before_curves.at(curve), bytes, shift, row.after->value) ||
        reaches(after_curves.at(curve), bytes, shift, row.before->value))
      row.verdict = ChangeVerdict::edge;
  }
}

}  // namespace percycle
