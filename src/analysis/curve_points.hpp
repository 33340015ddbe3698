#pragma once

#include <span>
#include <vector>

#include "analysis/curve.hpp"

namespace percycle {

/// A place of a curve ready to be fitted.
struct CurvePlace {
  double bytes = 0;
  double value = 0;
  double sigma = 0;  ///< how far the value may lie from what a model says, one standard deviation; never 0
  double own = 0;    ///< of that, what the samples themselves tell, and 0.1 %
  double slope = 0;  ///< of that, what the footprint's own uncertainty makes of a slope

  bool operator==(const CurvePlace&) const = default;
};

/// Joins samples of about the same footprint, drops single outliers, and gives every place an honest error: the largest of what its samples
/// tell, what the scatter of the curve around it tells, and 0.1 %; plus what the footprint's own uncertainty makes of a slope. Throws
/// std::invalid_argument for a curve out of order or with values that are not positive and finite.
std::vector<CurvePlace> curve_places(std::span<const CurveSample> curve);

/// The places with errors from the scatter around a model instead of that around the neighbours, which takes every bend for noise. `model`: the
/// value of each place by the model, `uncertain` how far that may be off. No error grows.
std::vector<CurvePlace> scattered_around(std::span<const CurvePlace> places, std::span<const double> model,
                                         std::span<const double> uncertain);

}  // namespace percycle
