#pragma once

#include <span>
#include <vector>

#include "core/measurement.hpp"

namespace percycle {

/// Adds the points that look again, in another place of memory, at those of a sweep whose latency contradicts its neighbours. `looks`: those that
/// were planned before; with them at most SecondLookThresholds::most. `sweep`: finished points that differ in their footprints only, in any order.
/// Constant and local memory have one place; nothing is looked at again there. Returns whether there was anything to add.
bool add_second_looks(std::vector<Point>& looks, std::span<const PointResult* const> sweep);

}  // namespace percycle
