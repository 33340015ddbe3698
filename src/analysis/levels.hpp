#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/curve.hpp"
#include "analysis/rise.hpp"

namespace percycle {

/// A cache level in a latency curve: a plateau and the edge at its end.
struct CurveLevel {
  double latency = 0;        ///< of a hit, in the curve's unit
  double latency_error = 0;  ///< its standard error
  /// Places of the curve lie on the plateau. Else the edges give the latency.
  bool plateau = false;
  double size = 0;        ///< bytes: where the edge begins
  double size_low = 0;    ///< lower bound
  double size_high = 0;   ///< upper bound
  double drift = 0;       ///< of the plateau from its first place to its last, in the curve's unit
  double edge_end = 0;    ///< bytes: where the next plateau begins
  Rise edge;              ///< as fitted
  double confidence = 0;  ///< 0 to 1, see levels.cpp
  std::vector<std::string> evidence;
};

/// A rise too broad for a cache: random accesses that outgrow a TLB's reach, penalty * (1 - reach /
/// footprint).
struct CurveTlb {
  double reach = 0;  ///< bytes
  double penalty = 0;
  double confidence = 0;
  std::vector<std::string> evidence;
};

/// The levels of a latency curve. Without a level the memory is unknown: a flat curve may lie in
/// any cache.
struct CurveReading {
  std::vector<CurveLevel> levels;  ///< ascending
  std::vector<CurveTlb> tlbs;      ///< ascending
  /// Latency of the last plateau; empty if there is no level before it.
  std::optional<double> memory_latency;
  std::optional<double> memory_latency_error;
};

/// Finds the levels of a curve sorted by bytes. Pure; throws std::invalid_argument for unsorted,
/// non-positive or non-finite input. `known`: rises from a closer look at the same memory, used if
/// they explain the curve.
CurveReading read_curve(std::span<const CurveSample> curve, std::span<const Rise> known = {});

}  // namespace percycle
