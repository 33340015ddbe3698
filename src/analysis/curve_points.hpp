#pragma once

#include <span>
#include <vector>

#include "analysis/curve.hpp"

namespace percycle {

/// A point of a curve, ready to be fitted.
struct CurvePlace {
  double bytes = 0;
  double value = 0;
  double sigma = 0;  ///< standard deviation of the value from a model; never 0
  double own = 0;    ///< the part from the samples, at least 0.1 %
  double slope = 0;  ///< the part from the uncertainty of the footprint, where the curve is steep

  bool operator==(const CurvePlace&) const = default;
};

/// Joins samples of nearly equal footprint, drops single outliers and estimates errors. An error is
/// the maximum of sample error, scatter of the curve and 0.1 %, plus `slope`. Throws
/// std::invalid_argument for unsorted, non-positive or non-finite input.
std::vector<CurvePlace> curve_places(std::span<const CurveSample> curve);

/// The places with errors from the scatter around a model. (The scatter around the neighbours takes
/// every bend for noise.) `model`: the model's value at each place; `uncertain`: its uncertainty.
/// No error grows.
std::vector<CurvePlace> scattered_around(std::span<const CurvePlace> places, std::span<const double> model,
                                         std::span<const double> uncertain);

}  // namespace percycle
