#pragma once

#include <span>

#include "analysis/curve_points.hpp"
#include "analysis/rise_fit.hpp"

namespace percycle {

/// Whether a smooth curve explains all places within their errors; then no place belongs to an
/// edge. The curve is a cubic in the logarithm of the size, a line in the size and its root.
bool is_smooth(std::span<const CurvePlace> places);

/// The evidence that a rise is not part of a smooth ramp; about 0 on a ramp. Chi-square grows by so
/// much if a smooth curve replaces the rise and the other heights are refitted. The unit is the
/// model's chi-square per place (at least 1).
double distinction(std::span<const CurvePlace> places, const RiseModel& model, const Rise& rise, std::span<const Rise> others);

/// The change of a straight line over the places of a plateau, without the model's TLBs and beyond
/// the places' errors.
double drift(std::span<const CurvePlace> places, const RiseModel& model);

}  // namespace percycle
