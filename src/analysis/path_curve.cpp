#include "analysis/path_curve.hpp"

#include <algorithm>
#include <map>

#include "analysis/second_looks.hpp"
#include "core/figures.hpp"
#include "stats/summary.hpp"
#include "vocabulary/geometry.hpp"
#include "vocabulary/latency.hpp"
#include "vocabulary/optimization.hpp"

namespace percycle {
namespace {

// Limits in nanoseconds or cycles: below any clock's resolution, and hours. A damaged record may
// hold any number; squares of larger ones overflow a double.
constexpr double kLeastLatency = 1e-4;
constexpr double kMostLatency = 1e13;
constexpr double kMostBytes = 0x1p48;

bool is_ok(const PointResult& result) { return result.outcome.status == Status::ok && result.measurement; }

/// Whether this is a point of experiment latency with one lane in random order, without declared
/// local memory.
bool is_random_chase(const PointResult& result, const std::string& path) {
  const auto& parameters = result.point.parameters;
  return !parameters.contains(parameter::kLocalBytes) && result.point.experiment == experiment::kLatency &&
         has_word(parameters, parameter::kPath, path) && has_word(parameters, parameter::kLanes, latency_lanes::kOne) &&
         has_word(parameters, parameter::kOrder, latency_order::kRandom) && !parameters.contains(parameter::kOptimization);
}

/// The same for a point of the sweep.
bool is_random_walk(const PointResult& result, const std::string& path) {
  return is_random_chase(result, path) && !result.point.parameters.contains(parameter::kDivisor);
}

/// Whether a point of the geometry sweep visits neighbours together.
bool is_together(const Parameters& parameters) { return integer_or(parameters, parameter::kGroup, 1) > 1; }

double bytes_together(const Parameters& parameters) {
  return static_cast<double>(integer(parameters, parameter::kGroup) * integer(parameters, parameter::kStride));
}

/// Identifies a sweep: all parameters but the footprint.
std::string sweep_of(const Parameters& parameters) {
  std::string sweep;
  for (const auto& [name, value] : parameters) {
    if (name != parameter::kFootprint && name != parameter::kAgain) sweep += name + '=' + to_string(value) + ' ';
  }
  return sweep;
}

struct PathSweep {
  std::vector<CurveSample> samples;
  std::vector<CurveSample> looks;  ///< second looks
  std::uint64_t stride_bytes = 0;
};

void sort(std::vector<CurveSample>& curve) {
  std::sort(curve.begin(), curve.end(), [](const CurveSample& a, const CurveSample& b) { return a.bytes < b.bytes; });
}

/// The sweep in ascending order, second looks applied.
std::vector<CurveSample> settled(PathSweep sweep) {
  sort(sweep.samples);
  return with_second_looks(std::move(sweep.samples), sweep.looks);
}

}  // namespace

LatencyUnit latency_unit(std::span<const PointResult> results, const std::string& path) {
  const bool all = std::all_of(results.begin(), results.end(), [&](const PointResult& result) {
    return !is_random_walk(result, path) || !is_ok(result) || result.measurement->statistics.contains(figures::kCyclesPerOp);
  });
  return all ? LatencyUnit::cycles : LatencyUnit::nanoseconds;
}

std::optional<CurveSample> latency_of(const PointResult& result, LatencyUnit unit) {
  if (!is_ok(result)) return std::nullopt;
  const auto& statistics = result.measurement->statistics;
  const std::string name = unit == LatencyUnit::cycles ? figures::kCyclesPerOp : figures::kNsPerOp;
  auto found = statistics.find("fastest_" + name);
  if (found == statistics.end()) found = statistics.find(name);
  if (found == statistics.end()) return std::nullopt;
  const auto bytes = static_cast<double>(integer_or(result.point.parameters, parameter::kFootprint, 0));
  const CurveSample sample{bytes, found->second.median, median_error(found->second)};
  if (bytes > kMostBytes) return std::nullopt;
  if (!(sample.value >= kLeastLatency && sample.value <= kMostLatency && sample.error >= 0 && sample.error <= kMostLatency))
    return std::nullopt;
  return sample;
}

PathCurves path_curves(std::span<const PointResult> results, const std::string& path) {
  PathCurves curves;
  curves.unit = latency_unit(results, path);
  std::map<std::string, PathSweep> sweeps;
  PathSweep closer;    // steps between those of the sweep, nodes visited one by one
  PathSweep together;  // neighbours visited together
  std::vector<double> ns_per_unit;
  for (const auto& result : results) {
    if (!is_ok(result)) continue;
    const auto& parameters = result.point.parameters;
    const bool random = is_random_walk(result, path);
    const bool local = result.point.experiment == experiment::kGeometry && has_word(parameters, parameter::kPath, path) &&
                       has_word(parameters, parameter::kTest, geometry_test::kSweep);
    const bool gapless = is_random_chase(result, path) && !random;
    if (!random && !local && !gapless) continue;
    auto sample = latency_of(result, curves.unit);
    if (!sample) continue;
    if (gapless) {
      curves.gapless.push_back({*sample, integer_or(parameters, parameter::kDivisor, 0)});
      continue;
    }
    const bool again = parameters.contains(parameter::kAgain);
    if (local) {
      if (is_together(parameters)) sample->together_bytes = bytes_together(parameters);
      PathSweep& sweep = is_together(parameters) ? together : closer;
      (again ? sweep.looks : sweep.samples).push_back(*sample);
      continue;
    }
    PathSweep& sweep = sweeps[sweep_of(parameters)];
    (again ? sweep.looks : sweep.samples).push_back(*sample);
    sweep.stride_bytes = static_cast<std::uint64_t>(integer(parameters, parameter::kStride));
    if (const auto ns = latency_of(result, LatencyUnit::nanoseconds)) ns_per_unit.push_back(ns->value / sample->value);
  }
  for (auto& [key, sweep] : sweeps) {
    if (sweep.samples.size() <= curves.random.size()) continue;
    curves.stride_bytes = sweep.stride_bytes;
    curves.random = settled(std::move(sweep));
  }
  const auto between = settled(std::move(closer));
  curves.random.insert(curves.random.end(), between.begin(), between.end());
  sort(curves.random);
  curves.local = settled(std::move(together));
  if (!curves.local.empty()) {
    std::vector<CurveSample> small;
    std::copy_if(curves.random.begin(), curves.random.end(), std::back_inserter(small),
                 [first = curves.local.front().bytes](const CurveSample& sample) { return sample.bytes < first; });
    curves.local.insert(curves.local.begin(), small.begin(), small.end());
  }
  if (!ns_per_unit.empty()) curves.ns_per_unit = median(ns_per_unit);
  return curves;
}

std::vector<std::string> measured_paths(std::span<const PointResult> results) {
  std::vector<std::string> paths;
  for (const auto& result : results) {
    if (result.point.experiment != experiment::kLatency || !is_ok(result)) continue;
    const auto* path = find_word(result.point.parameters, parameter::kPath);
    if (path != nullptr && std::find(paths.begin(), paths.end(), *path) == paths.end()) paths.push_back(*path);
  }
  return paths;
}

}  // namespace percycle
