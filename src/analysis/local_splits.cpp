#include "analysis/local_splits.hpp"

#include <map>
#include <utility>

#include "analysis/known_readings.hpp"
#include "analysis/path_curve.hpp"
#include "analysis/seen_level.hpp"
#include "vocabulary/latency.hpp"

namespace percycle {

std::vector<LocalSplit> read_local_splits(std::span<const PointResult> results) {
  // A curve with declared local memory is read like any other: its points lose that parameter.
  std::map<std::pair<std::string, std::int64_t>, std::vector<PointResult>> curves;
  for (const PointResult& result : results) {
    if (result.point.experiment != experiment::kLatency) continue;
    const auto bytes = find_integer(result.point.parameters, parameter::kLocalBytes);
    const auto* path = find_word(result.point.parameters, parameter::kPath);
    if (!bytes || path == nullptr || *bytes <= 0) continue;
    auto& curve = curves[{*path, *bytes}];
    curve.push_back(result);
    curve.back().point.parameters.erase(parameter::kLocalBytes);
  }
  std::vector<LocalSplit> splits;
  for (const auto& [key, points] : curves) {
    const auto curve = path_curves(points, key.first).best();
    if (curve.empty()) continue;
    const CurveReading reading = known_reading(curve);
    if (reading.levels.empty()) continue;
    const CurveLevel& first = reading.levels.front();
    splits.push_back({key.first, static_cast<std::uint64_t>(key.second), whole(first.size), whole(first.size_low),
                      whole(first.size_high), first.confidence});
  }
  return splits;
}

}  // namespace percycle
