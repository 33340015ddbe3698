#pragma once

#include <span>
#include <vector>

#include "core/measurement.hpp"

namespace percycle {

/// Adds second looks, at another place of memory, for points of `sweep` that contradict their
/// neighbours, up to SecondLookThresholds::most. `sweep` has finished points that differ only in
/// footprint. Constant and local memory get none. Returns whether it added any.
bool add_second_looks(std::vector<Point>& looks, std::span<const PointResult* const> sweep);

}  // namespace percycle
