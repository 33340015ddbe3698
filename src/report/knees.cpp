#include "report/knees.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace percycle {
namespace {

using SweepPoint = std::pair<double, double>;  // floating-point operations per byte, rate

Knee::Neighbour neighbour(const SweepPoint& place, const IntensityRoof& roof) {
  return {place.first, 100 * place.second / std::min(place.first * roof.gb_per_s, roof.rate)};
}

}  // namespace

std::vector<Knee> knees(const std::vector<IntensityLine>& lines) {
  std::vector<Knee> all;
  for (const IntensityLine& line : lines) {
    if (!line.roof) continue;
    const auto after = std::ranges::upper_bound(line.points, line.roof->knee(), {}, &SweepPoint::first);
    if (after == line.points.begin() || after == line.points.end()) continue;
    const double highest = std::ranges::max(line.points, {}, &SweepPoint::second).second;
    const auto& [lowest_intensity, rate_there] = line.points.front();
    all.push_back({.level = line.level,
                   .by_sweep = highest / (rate_there / lowest_intensity),
                   .by_ceilings = line.roof->knee(),
                   .before = neighbour(*std::prev(after), *line.roof),
                   .after = neighbour(*after, *line.roof)});
  }
  return all;
}

}  // namespace percycle
