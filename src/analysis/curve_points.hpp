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
};

/// Joins samples of about the same footprint, drops single outliers, and gives every place an honest error: the largest of what its samples
/// tell, what the scatter of the curve around it tells, and 0.1 %; plus what the footprint's own uncertainty makes of a slope. Throws
/// std::invalid_argument for a curve out of order or with values that are not positive and finite.
std::vector<CurvePlace> curve_places(std::span<const CurveSample> curve);

}  // namespace percycle
