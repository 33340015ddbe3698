#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/curve.hpp"
#include "analysis/levels.hpp"
#include "core/measurement.hpp"

namespace percycle {

/// The slowdown of a load by other activity, as a share of the miss cost. 0 is undisturbed; 1 means
/// that every load misses.
struct Disturbance {
  double share = 0;
  double error = 0;  ///< standard error

  /// Whether the load's data is evicted. Two chains of 0.7 of one cache each miss 100 % under LRU,
  /// 50 % under random replacement (rise.hpp, x = 1.4). If the size is a tenth too small, they miss
  /// 38 %. Contention for a port costs far less.
  bool evicts() const;
  /// Whether fewer loads miss than an eviction of the chains makes, but clearly more than none: the
  /// chains may fill the cache only in part.
  bool is_partial() const;
  /// 0 to 1: z^2 / (z^2 + 3^2), z the distance from the threshold in standard errors.
  double certainty() const;
};

/// Both latencies have the unit of `miss_cost`. No value is trusted to better than 0.1 %.
Disturbance disturbance(const CurveSample& together, const CurveSample& alone, double miss_cost);

/// The extra latency of a load that misses a level: the next level's latency minus its own, in the
/// curve's unit. Empty if either is unknown.
std::optional<double> miss_cost(const CurveReading& reading, std::size_t level);

}  // namespace percycle
