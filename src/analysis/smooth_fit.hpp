#pragma once

#include <span>

#include "analysis/curve_points.hpp"
#include "analysis/rise_fit.hpp"

namespace percycle {

/// Whether a smooth curve explains all of some places as well as their errors allow: then nothing of them is an edge. The smooth curve is a
/// cubic in the logarithm of the size plus a straight line in the size; here its root may be added.
bool is_smooth(std::span<const CurvePlace> places);

/// How surely a model's rise is not part of a smooth ramp: by how much chi-square grows over some places when the rise gives way to a smooth
/// curve, in units of what the model leaves of one place where that is more than 1. The smooth curve is fitted together with the heights of
/// the other rises. On a ramp nothing grows, whatever stairs the model made of it.
double distinction(std::span<const CurvePlace> places, const RiseModel& model, const Rise& rise, std::span<const Rise> others);

/// How far a straight line through the places of a plateau climbs or falls from the first to the last, with what the model's TLBs add taken
/// off, and beyond what the places' errors can make up.
double drift(std::span<const CurvePlace> places, const RiseModel& model);

}  // namespace percycle
