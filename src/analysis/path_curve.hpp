#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/curve.hpp"
#include "analysis/levels.hpp"
#include "core/measurement.hpp"

namespace percycle {

/// The latency that a point measured, per operation, and its standard error: in core cycles where all of a device's points have them,
/// else in nanoseconds. `bytes` is the point's footprint where it has one.
enum class LatencyUnit { cycles, nanoseconds };

/// The unit in which a path's curves are read: cycles where every finished latency point of the path has them.
LatencyUnit latency_unit(std::span<const PointResult> results, const std::string& path);

/// The value of a finished point, of its fastest samples where the record tells them apart (CPUs); empty for one that is not ok.
std::optional<CurveSample> latency_of(const PointResult& result, LatencyUnit unit);

/// The curves of one path, in ascending order of footprint.
struct PathCurves {
  LatencyUnit unit = LatencyUnit::cycles;
  /// Experiment `latency`, one lane, random order, and the geometry sweep's closer steps of the same. Where several forms or strides were
  /// measured, the one with the most points.
  std::vector<CurveSample> random;
  /// The same walk with neighbouring nodes visited together, so that a TLB is hardly asked (experiment `geometry`, test `sweep`); up to the
  /// smallest such point the random walk's points, which no TLB disturbs. Empty where it was not measured.
  std::vector<CurveSample> local;
  std::uint64_t stride_bytes = 0;  ///< from node to node of the random walk
  double ns_per_unit = 1;          ///< nanoseconds of one unit: of a cycle, by the clock the points measured

  /// The curve to find cache levels in.
  const std::vector<CurveSample>& best() const { return local.empty() ? random : local; }
};

PathCurves path_curves(std::span<const PointResult> results, const std::string& path);

/// The paths of which there are latency points, in the order in which they first appear.
std::vector<std::string> measured_paths(std::span<const PointResult> results);

}  // namespace percycle
