#include "analysis/loaded_latency.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "core/figures.hpp"
#include "vocabulary/loaded_latency.hpp"

namespace percycle {
namespace {

struct LoadedPoint {
  double gb_per_s = 0;
  double latency = 0;
};

/// The points of a curve by their loads; empty if one lacks the statistic.
std::vector<LoadedPoint> points_with(const std::map<std::int64_t, const Measurement*>& by_load, const char* latency) {
  std::vector<LoadedPoint> points;
  for (const auto& [load, measurement] : by_load) {
    const auto gb_per_s = statistic_median(*measurement, figures::kTrafficGbPerS);
    const auto time = statistic_median(*measurement, latency);
    if (!gb_per_s || !time) return {};
    points.push_back({*gb_per_s, *time});
  }
  return points;
}

/// The first crossing on the way from idle units to the most traffic.
std::optional<double> knee_of(const std::vector<LoadedPoint>& points) {
  const double latency = kKneeFactor * points.front().latency;
  for (std::size_t i = 1; i < points.size(); ++i) {
    const LoadedPoint& before = points[i - 1];
    const LoadedPoint& after = points[i];
    if (after.latency < latency) continue;
    const double share = (latency - before.latency) / (after.latency - before.latency);
    return before.gb_per_s + share * (after.gb_per_s - before.gb_per_s);
  }
  return std::nullopt;
}

}  // namespace

std::vector<LoadCurve> read_load_curves(std::span<const PointResult> results) {
  std::map<std::pair<std::string, std::string>, std::map<std::int64_t, const Measurement*>> curves;
  for (const PointResult& result : results) {
    if (result.point.experiment != experiment::kLoadedLatency || !result.measurement || result.outcome.status != Status::ok)
      continue;
    const Parameters& parameters = result.point.parameters;
    curves[{word(parameters, parameter::kLevel), word(parameters, parameter::kOperation)}]
          [integer(parameters, parameter::kLoad)] = &*result.measurement;
  }
  std::vector<LoadCurve> all;
  for (const auto& [name, by_load] : curves) {
    auto points = points_with(by_load, figures::kCyclesPerOp);
    const bool in_cycles = !points.empty();
    if (!in_cycles) points = points_with(by_load, figures::kNsPerOp);
    if (points.size() < 2 || by_load.begin()->first != 0) continue;
    const auto most = std::ranges::max_element(points, {}, &LoadedPoint::gb_per_s);
    all.push_back({.level = name.first,
                   .operation = name.second,
                   .in_cycles = in_cycles,
                   .idle = points.front().latency,
                   .loaded = most->latency,
                   .most_gb_per_s = most->gb_per_s,
                   .knee_gb_per_s = knee_of(points)});
  }
  return all;
}

}  // namespace percycle
