#pragma once

#include <span>

#include "analysis/curve_points.hpp"
#include "analysis/rise_fit.hpp"

namespace percycle {

/// How many times worse a smooth curve explains some places than a model does: the ratio of their chi-squares, each per degree of freedom.
/// The smooth curve is a polynomial in the logarithm of the size plus a straight line in the size, so that every ramp scores about 1.
double distinction(std::span<const CurvePlace> places, const RiseModel& model);

/// How far a straight line through the places of a plateau climbs or falls from the first to the last, with what the model's TLBs add taken
/// off, and beyond what the places' errors can make up.
double drift(std::span<const CurvePlace> places, const RiseModel& model);

}  // namespace percycle
