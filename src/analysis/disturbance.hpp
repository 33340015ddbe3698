#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/curve.hpp"
#include "analysis/levels.hpp"
#include "core/measurement.hpp"

namespace percycle {

/// How much longer a load takes because of what else goes on, as a share of what missing the level costs: 0 undisturbed, 1 every load misses.
struct Disturbance {
  double share = 0;
  double error = 0;  ///< standard error

  /// Whether it is evicted. Two chains of 0.7 of a cache each miss all their lines under LRU with many ways, 57 % direct mapped, and half
  /// under random replacement (rise.hpp at x = 1.4); of a level found a tenth too large, 38 %. What takes turns at a port costs far less.
  bool evicts() const;
  /// 0 to 1: z^2 / (z^2 + 3^2), z the distance from the threshold in standard errors.
  double certainty() const;
};

/// Of two latencies in the same unit as `miss_cost`. Values are trusted to 0.1 % at the best.
Disturbance disturbance(const CurveSample& beside, const CurveSample& alone, double miss_cost);

/// What a load costs that misses a level instead of hitting it: the next level's latency less its own, in the curve's unit. Empty where
/// either is not known.
std::optional<double> miss_cost(const CurveReading& reading, std::size_t level);

}  // namespace percycle
