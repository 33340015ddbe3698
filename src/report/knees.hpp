#pragma once

#include <string>
#include <vector>

#include "report/ceilings.hpp"

namespace percycle {

/// The crossing of a level's bandwidth and the rate of the execution units, in floating-point
/// operations per byte.
struct Knee {
  std::string level;  ///< the source of the operands
  /// Crossing of the sweep's two ends: its highest rate, and the bandwidth at its lowest intensity.
  double by_sweep = 0;
  double by_ceilings = 0;  ///< crossing of the ceilings

  /// A point of the sweep next to the ceilings' crossing.
  struct Neighbour {
    double flops_per_byte = 0;
    double share_percent = 0;  ///< its rate, of the lower ceiling
  };
  Neighbour before;  ///< the last point below or at the crossing
  Neighbour after;   ///< the first point above it
};

/// The knees of curves by operational intensity that have ceilings and points on both sides of the
/// ceilings' crossing.
std::vector<Knee> knees(const std::vector<IntensityLine>& lines);

}  // namespace percycle
