#pragma once

#include <span>

#include "analysis/curve_points.hpp"
#include "analysis/rise_fit.hpp"

namespace percycle {

/// By how much more than a model a smooth curve leaves of some places unexplained: the difference of their chi-squares, in units of what the
/// model leaves of one place where that is more than 1. The smooth curve is a polynomial in the logarithm of the size plus a straight line in
/// the size; of a ramp it leaves nothing, whatever the model does.
double distinction(std::span<const CurvePlace> places, const RiseModel& model);

/// How far a straight line through the places of a plateau climbs or falls from the first to the last, with what the model's TLBs add taken
/// off, and beyond what the places' errors can make up.
double drift(std::span<const CurvePlace> places, const RiseModel& model);

}  // namespace percycle
