#pragma once

#include <span>
#include <vector>

#include "analysis/curve_points.hpp"
#include "analysis/rise.hpp"

namespace percycle {

/// A curve as a sum: base + height * rise_share(shape, F / onset) of each rise.
struct RiseModel {
  double base = 0;
  double base_error = 0;
  std::vector<Rise> rises;  ///< ascending by onset
  double chi_square = 0;
  double excess = 1;  ///< chi-square per degree of freedom, no less than 1: what errors and thresholds are widened by

  double value(double bytes) const;
};

/// The fewest rises that explain a curve. `known`: rises that another curve of the same memory shows better, of which only the heights may
/// differ; where they explain the curve as well, they are the model.
RiseModel fit_rises(std::span<const CurvePlace> places, std::span<const Rise> known = {});

/// The size that an edge tells.
struct Capacity {
  double best = 0;  ///< bytes
  double low = 0;
  double high = 0;
};

/// The size that an edge of a model tells, with an interval that holds it almost surely: all sizes that, with the best shape for each, explain
/// the curve within 9 units of chi-square (three standard deviations) of the best.
Capacity capacity_interval(std::span<const CurvePlace> places, const RiseModel& model, std::size_t edge);

}  // namespace percycle
