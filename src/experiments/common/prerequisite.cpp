#include "experiments/common/prerequisite.hpp"

#include <algorithm>
#include <set>

namespace percycle {

std::vector<Point> latency_prerequisite(const DeviceInfo& device, const Options& options, std::span<const PointResult> done,
                                        const std::string& path) {
  return open_points(device, options, done, "latency", {{"path", path}});
}

std::vector<Point> open_points(const DeviceInfo& device, const Options& options, std::span<const PointResult> done,
                               const std::string& experiment, const std::map<std::string, std::string>& set) {
  const Experiment* needed = find_experiment(experiment);
  const auto needed_options = make_options({&needed, 1}, set, options.preset, options.seed);
  return still_open(needed->plan(device, needed_options.front(), done), done);
}

std::vector<Point> still_open(const std::vector<Point>& planned, std::span<const PointResult> done) {
  std::set<std::string> finished;
  for (const auto& result : done) finished.insert(to_string(result.point));
  std::vector<Point> open;
  std::copy_if(planned.begin(), planned.end(), std::back_inserter(open),
               [&](const Point& point) { return !finished.contains(to_string(point)); });
  return open;
}

}  // namespace percycle
