#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/curve.hpp"
#include "analysis/levels.hpp"
#include "core/measurement.hpp"

namespace percycle {

/// The unit of a latency: core cycles, or nanoseconds if a point of the path lacks cycles.
enum class LatencyUnit { cycles, nanoseconds };

/// The unit of a path's curves: cycles if every finished latency point of the path has them.
LatencyUnit latency_unit(std::span<const PointResult> results, const std::string& path);

/// The latency per operation and its standard error, from the fastest samples if the record has
/// them (CPUs). `bytes` is the footprint. Empty if the point is not ok.
std::optional<CurveSample> latency_of(const PointResult& result, LatencyUnit unit);

/// A walk of experiment `latency` with a shorter stride than its sweep (gapless_walks.hpp).
struct GaplessWalk : CurveSample {
  std::int64_t divisor = 1;
};

/// The curves of one path, ascending by footprint.
struct PathCurves {
  LatencyUnit unit = LatencyUnit::cycles;
  /// Experiment `latency`, one lane, random order, and the closer steps of the geometry sweep. If
  /// several forms or strides were measured, the curve with the most points.
  std::vector<CurveSample> random;
  /// The same walk with neighbouring nodes visited together, so that few loads ask a TLB
  /// (experiment `geometry`, test `sweep`). Below its smallest point: the points of the random
  /// walk, which no TLB disturbs there. Empty if not measured.
  std::vector<CurveSample> local;
  std::vector<GaplessWalk> gapless;
  std::uint64_t stride_bytes = 0;  ///< between nodes of the random walk
  double ns_per_unit = 1;          ///< nanoseconds per unit, by the clock of the points

  /// The curve for finding cache levels.
  const std::vector<CurveSample>& best() const { return local.empty() ? random : local; }
};

PathCurves path_curves(std::span<const PointResult> results, const std::string& path);

/// The paths with latency points, in order of first appearance.
std::vector<std::string> measured_paths(std::span<const PointResult> results);

}  // namespace percycle
