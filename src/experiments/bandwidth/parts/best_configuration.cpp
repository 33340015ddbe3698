#include "experiments/bandwidth/parts/best_configuration.hpp"

#include <algorithm>
#include <functional>
#include <unordered_map>

#include "core/configuration.hpp"
#include "core/figures.hpp"

namespace percycle {
namespace {

constexpr double kSearchSampleNs = 0.5e6;

Point with_role(Point point, const char* role) {
  point.parameters[kRole] = role;
  return point;
}

/// A configuration and its measurement.
using Found = std::pair<const Point*, const Measurement*>;

/// The rate of a measurement, as bytes or as operations.
Figure rate_of(const Measurement& measurement) {
  return figure_called(measurement.participants ? figures::kGopsPerS : figures::kGbPerS);
}

/// The value that configurations are compared by. If all configurations counted their units' own
/// cycles, it is a rate per cycle, so that a change of the clock between two short samples does not
/// matter.
std::function<double(const Found&)> value_by(Merit merit, const std::vector<Found>& found) {
  const auto statistic = [](const Found& one, std::string_view name) {
    return one.second->statistics.at(std::string(name)).median;
  };
  const bool counted = std::all_of(found.begin(), found.end(), [](const Found& one) { return counted_by_units(*one.second); });
  if (!counted) return [=](const Found& one) { return statistic(one, rate_of(*one.second).name); };
  if (merit == Merit::unit) return [=](const Found& one) { return statistic(one, rate_of(*one.second).in_cycles); };
  return [=](const Found& one) { return statistic(one, rate_of(*one.second).name) / one.second->clock_mhz->value; };
}

/// The first result of each point, or null. One pass over `done`, which has thousands of points.
std::unordered_map<Point, const PointResult*, PointHash> results_of(const std::vector<Point>& points,
                                                                    std::span<const PointResult> done) {
  std::unordered_map<Point, const PointResult*, PointHash> results;
  for (const Point& point : points) results.emplace(point, nullptr);
  for (const PointResult& each : done) {
    const auto wanted = results.find(each.point);
    if (wanted != results.end() && wanted->second == nullptr) wanted->second = &each;
  }
  return results;
}

}  // namespace

std::vector<Point> best_configurations(const std::vector<Point>& configurations, std::span<const PointResult> done,
                                       std::size_t most, Merit merit) {
  if (configurations.size() == 1) return {with_role(configurations.front(), kBestRole)};
  std::vector<Point> points;
  for (const auto& configuration : configurations) points.push_back(with_role(configuration, kSearchRole));
  const auto results = results_of(points, done);
  std::vector<Found> found;
  bool all_ended = true;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const PointResult* const result = results.at(points[i]);
    if (result == nullptr) {
      all_ended = false;
    } else if (result->outcome.status == Status::ok && result->measurement) {
      found.emplace_back(&configurations[i], &*result->measurement);
    }
  }
  if (!all_ended) return points;
  const auto value = value_by(merit, found);
  std::stable_sort(found.begin(), found.end(), [&](const Found& a, const Found& b) { return value(a) > value(b); });
  for (std::size_t i = 0; i < std::min(most, found.size()); ++i) points.push_back(with_role(*found[i].first, kBestRole));
  return points;
}

std::vector<Point> configurations(const Experiment& experiment, const DeviceInfo& device, const Point& question,
                                  const std::vector<Axis>& axes) {
  std::vector<Point> points = product(question, axes);
  const Point first = points.front();
  std::erase_if(points, [&](const Point& point) { return experiment.unsupported(device, point).has_value(); });
  if (points.empty()) return {first};
  return points;
}

std::vector<Point> searched(const Experiment& experiment, const DeviceInfo& device, const Point& question, const Search& search,
                            std::span<const PointResult> done) {
  return best_configurations(configurations(experiment, device, question, search.axes), done, search.best, search.merit);
}

void apply_role(Trial& trial, const Point& point) {
  if (!is_search(point)) return;
  trial.samples = 1;
  trial.sample_ns = kSearchSampleNs;
}

}  // namespace percycle
