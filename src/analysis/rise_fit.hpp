#pragma once

#include <span>
#include <vector>

#include "analysis/curve_points.hpp"
#include "analysis/rise.hpp"

namespace percycle {

/// A curve as a sum: base + height * share(F / onset) of each rise.
struct RiseModel {
  double base = 0;
  double base_error = 0;
  std::vector<Rise> rises;  ///< ascending by onset
  double chi_square = 0;
  /// Chi-square per degree of freedom, at least 1; widens errors and thresholds.
  double excess = 1;

  double value(double bytes) const;
};

/// The fewest rises that explain a curve. `known`: rises from a better curve of the same memory;
/// only their heights are fitted. If they explain the curve equally well, they are the model.
RiseModel fit_rises(std::span<const CurvePlace> places, std::span<const Rise> known = {});

/// The size of a cache, from its edge.
struct Capacity {
  double best = 0;  ///< bytes
  double low = 0;
  double high = 0;
};

/// The size from a model's edge, with an interval of three standard deviations. It holds all sizes
/// whose best shape costs at most 9 units of chi-square more than the best.
Capacity capacity_interval(std::span<const CurvePlace> places, const RiseModel& model, std::size_t edge);

}  // namespace percycle
