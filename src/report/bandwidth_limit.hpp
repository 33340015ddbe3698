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
/// one. The units are the distinct units that the kernels recorded, else all units that the driver
/// reports, in units of the architecture, if at least as many work-groups took part or the
/// experiment uses all of them (Presentation::takes_all_units). A transfer uses no unit. The clock
/// is the point's most trusted one. A published figure has the units and the clock of its document;
/// if the document prints bytes per unit-cycle, that figure replaces the division. All values are
/// empty if a run's point has neither rate.
NormalizedBandwidth hold_against_limit(const PointResult& result, const Header& header, const DeviceLimits& device_limits);

}  // namespace percycle
