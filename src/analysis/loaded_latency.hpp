#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/measurement.hpp"

namespace percycle {

/// The latency of a level over the bandwidth that others (units or subgroups) take, from experiment
/// `loaded-latency`.
struct LoadCurve {
  std::string level;
  std::string operation;  ///< of the others
  bool in_cycles = true;  ///< the latencies are cycles, else ns
  double idle = 0;        ///< latency of a load while no other unit works
  double loaded = 0;      ///< with the most traffic
  double most_gb_per_s = 0;
  /// The bandwidth at which the latency is kKneeFactor times that of idle units, on a straight line
  /// between two points; empty if it stays below.
  std::optional<double> knee_gb_per_s;
};

inline constexpr double kKneeFactor = 1.5;

/// One entry per level and operation with an idle point and a loaded one, in the order of their
/// names. Pure.
std::vector<LoadCurve> read_load_curves(std::span<const PointResult> results);

}  // namespace percycle
