#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/curve.hpp"
#include "analysis/rise.hpp"

namespace percycle {

/// A cache level as a latency curve shows it: a plateau and the edge at which it ends.
struct CurveLevel {
  double latency = 0;        ///< of a hit, in the curve's unit
  double latency_error = 0;  ///< standard error of that
  bool plateau = false;      ///< places of the curve lie on it, so that it was seen and not only reckoned from the edges around
  double size = 0;           ///< bytes: where the edge begins
  double size_low = 0;       ///< the size is hardly below this
  double size_high = 0;      ///< nor above this
  double drift = 0;          ///< of the plateau from its first place to its last, in the curve's unit
  double edge_end = 0;       ///< bytes: where the next plateau begins (the edge's width is edge_end / size)
  Rise edge;                 ///< as it was fitted
  double confidence = 0;     ///< 0 to 1, see levels.cpp
  std::vector<std::string> evidence;
};

/// A rise too broad for a cache: that of random accesses that outgrow a TLB's reach, penalty * (1 - reach / footprint).
struct CurveTlb {
  double reach = 0;  ///< bytes
  double penalty = 0;
  double confidence = 0;
  std::vector<std::string> evidence;
};

/// What a latency curve says. Without a level nothing is known of the memory behind: a flat curve may lie in any cache.
struct CurveReading {
  std::vector<CurveLevel> levels;        ///< ascending
  std::vector<CurveTlb> tlbs;            ///< ascending
  std::optional<double> memory_latency;  ///< of the last plateau, where there is at least one level before it
  std::optional<double> memory_latency_error;
};

/// Finds the levels of a curve in ascending order of bytes. Pure; throws std::invalid_argument for a curve out of order or with values that
/// are not positive and finite. `known`: rises that another, closer look at the same memory found; they count where they explain the curve.
CurveReading read_curve(std::span<const CurveSample> curve, std::span<const Rise> known = {});

}  // namespace percycle
