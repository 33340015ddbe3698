#include "analysis/next_run.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/path_curve.hpp"
#include "analysis/seen_level.hpp"
#include "vocabulary/geometry.hpp"
#include "vocabulary/tlb.hpp"

namespace percycle {
namespace {

/// Preset `standard` walks at least four footprints per octave, `quick` one and some more at rises.
constexpr double kPlacesPerOctave = 3;

bool is_coarse(std::span<const CurveSample> curve) {
  if (curve.size() < 2) return true;
  const double octaves = std::log2(curve.back().bytes / curve.front().bytes);
  return static_cast<double>(curve.size()) < kPlacesPerOctave * octaves;
}

}  // namespace

std::string next_run(std::span<const PointResult> results) {
  const auto measured = [&](const char* name) {
    return std::any_of(results.begin(), results.end(),
                       [&](const PointResult& result) { return result.point.experiment == name; });
  };
  const bool complete =
      measured(experiment::kGeometry) && measured(experiment::kTlb) && !is_coarse(path_curves(results, kClosestPath).random);
  return complete ? "latency geometry tlb --preset full" : "latency geometry tlb";
}

}  // namespace percycle
