#include "charts/series.hpp"

#include <cmath>

namespace percycle {

std::vector<SeriesPoint> thinned(const std::vector<SeriesPoint>& points, std::size_t most, bool log_x) {
  if (points.size() <= most || most < 3) return points;
  const auto place = [&](const SeriesPoint& point) { return log_x && point.x > 0 ? std::log2(point.x) : point.x; };
  const std::size_t inner = points.size() - 2;
  const std::size_t buckets = most - 2;
  const auto begin_of = [&](std::size_t bucket) { return 1 + bucket * inner / buckets; };
  std::vector<SeriesPoint> kept{points.front()};
  for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
    // The mean of the next bucket stands for the point that will be kept of it.
    const std::size_t next = begin_of(bucket + 1);
    const std::size_t next_end = bucket + 1 < buckets ? begin_of(bucket + 2) : points.size();
    double mean_x = 0;
    double mean_y = 0;
    for (std::size_t i = next; i < next_end; ++i) {
      mean_x += place(points[i]);
      mean_y += points[i].y;
    }
    mean_x /= static_cast<double>(next_end - next);
    mean_y /= static_cast<double>(next_end - next);
    const double last_x = place(kept.back());
    const double last_y = kept.back().y;
    double largest = -1;
    SeriesPoint best;
    for (std::size_t i = begin_of(bucket); i < next; ++i) {
      const double area = std::abs((place(points[i]) - last_x) * (mean_y - last_y) - (mean_x - last_x) * (points[i].y - last_y));
      if (area > largest) {
        largest = area;
        best = points[i];
      }
    }
    kept.push_back(best);
  }
  kept.push_back(points.back());
  return kept;
}

}  // namespace percycle
