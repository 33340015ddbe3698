#include "experiments/common/prerequisite.hpp"

#include <algorithm>
#include <set>

namespace percycle {

std::vector<Point> latency_prerequisite(const DeviceInfo& device, const Options& options, std::span<const PointResult> done,
                                        const std::string& path) {
  const Experiment* latency = find_experiment("latency");
  const auto latency_options = make_options({&latency, 1}, {{"path", path}}, options.preset, options.seed);
  return still_open(latency->plan(device, latency_options.front(), done), done);
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
