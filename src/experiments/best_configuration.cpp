#include "experiments/best_configuration.hpp"

#include <algorithm>
#include <map>

#include "core/configuration.hpp"

namespace percycle {
namespace {

constexpr double kSearchSampleNs = 0.5e6;

Point with_role(Point point, const char* role) {
  point.parameters[kRole] = role;
  return point;
}

}  // namespace

std::size_t best_count(Preset preset) { return preset == Preset::quick ? 1 : preset == Preset::standard ? 3 : 5; }

std::vector<Point> best_configurations(const std::vector<Point>& configurations, std::span<const PointResult> done,
                                       std::size_t most) {
  if (configurations.size() == 1) return {with_role(configurations.front(), kBestRole)};
  std::vector<Point> points;
  std::vector<std::pair<double, const Point*>> found;
  bool all_ended = true;
  for (const auto& configuration : configurations) {
    points.push_back(with_role(configuration, kSearchRole));
    const auto result =
        std::find_if(done.begin(), done.end(), [&](const PointResult& each) { return each.point == points.back(); });
    if (result == done.end()) {
      all_ended = false;
    } else if (result->outcome.status == Status::ok && result->measurement) {
      found.emplace_back(result->measurement->statistics.at("gb_per_s").median, &configuration);
    }
  }
  if (!all_ended) return points;
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  for (std::size_t i = 0; i < std::min(most, found.size()); ++i) points.push_back(with_role(*found[i].second, kBestRole));
  return points;
}

void apply_role(Trial& trial, const Point& point) {
  if (!is_search(point)) return;
  trial.samples = 1;
  trial.sample_ns = kSearchSampleNs;
}

}  // namespace percycle
