#pragma once

#include <vector>

#include "core/measurement.hpp"
#include "limits/limits.hpp"
#include "limits/normalize.hpp"
#include "store/record.hpp"

namespace percycle {

/// The limits of the device of a header. A published device is found by its document's name for it.
/// A simulated device has only the user's entries for its name.
DeviceLimits limits_of_device(const LimitsCatalogue& catalogue, const Header& header);

/// The published figures that bound the point's measurement, by the rules of its experiment. Empty
/// if none is known.
std::vector<Limit> limits_of(const Point& point, const DeviceLimits& device_limits);

/// A point's median bandwidth or rate of operations against its binding limit, which is the closest
/// one. docs/internals.md describes units and clock. All values are empty if a run's point has
/// neither rate.
NormalizedBandwidth hold_against_limit(const PointResult& result, const Header& header, const DeviceLimits& device_limits);

}  // namespace percycle
