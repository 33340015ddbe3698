#include "report/knees.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace percycle {
namespace {

using Points = std::vector<std::pair<double, double>>;

/// The rate at an intensity between the first and the last point.
double rate_at(const Points& points, double intensity) {
  const auto after = std::ranges::lower_bound(points, intensity, {}, &std::pair<double, double>::first);
  if (after->first == intensity) return after->second;
  const auto before = std::prev(after);
  const double part = std::log(intensity / before->first) / std::log(after->first / before->first);
  return before->second * std::pow(after->second / before->second, part);
}

}  // namespace

std::vector<Knee> knees(const std::vector<IntensityLine>& lines) {
  std::vector<Knee> all;
  for (const IntensityLine& line : lines) {
    const Points& points = line.points;
    if (!line.roof || points.front().first >= line.roof->knee() || points.back().first <= line.roof->knee()) continue;
    const double highest = std::ranges::max(points, {}, &std::pair<double, double>::second).second;
    const double knee = line.roof->knee();
    all.push_back({.level = line.level,
                   .by_sweep = highest / (points.front().second / points.front().first),
                   .by_ceilings = knee,
                   .share_percent = 100 * rate_at(points, knee) / line.roof->rate});
  }
  return all;
}

}  // namespace percycle
