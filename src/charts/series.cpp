#include "charts/series.hpp"

#include <algorithm>

namespace percycle {

std::vector<SeriesPoint> thinned(const std::vector<SeriesPoint>& points, std::size_t most) {
  if (points.size() <= most || most < 4) return points;
  const std::size_t buckets = (most - 2) / 2;
  const std::size_t inner = points.size() - 2;
  const auto begin_of = [&](std::size_t bucket) {
    return points.begin() + 1 + static_cast<std::ptrdiff_t>(bucket * inner / buckets);
  };
  std::vector<SeriesPoint> kept{points.front()};
  for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
    const auto [low, high] = std::minmax_element(begin_of(bucket), begin_of(bucket + 1),
                                                 [](const SeriesPoint& a, const SeriesPoint& b) { return a.y < b.y; });
    kept.push_back(*std::min(low, high));
    if (low != high) kept.push_back(*std::max(low, high));
  }
  kept.push_back(points.back());
  return kept;
}

}  // namespace percycle
