#pragma once

#include <vector>

#include "core/measurement.hpp"
#include "limits/limits.hpp"
#include "limits/normalize.hpp"
#include "store/record.hpp"

namespace percycle {

/// What is known of the device of a header: of a published one by what its document calls it; a simulated device is no silicon, of it there is only
/// what the user says of its name.
DeviceLimits limits_of_device(const LimitsCatalogue& catalogue, const Header& header);

/// The published figures that each bound what the point measures, by the rules of its experiment. Empty where none is known.
std::vector<Limit> limits_of(const Point& point, const DeviceLimits& device_limits);

/// A point's median bandwidth against the limit that binds: of several the one that it comes closest to. Units are those whose numbers the
/// kernels noted, else all that the driver reports, in units of the architecture, where as many work-groups took part. Some experiments note none and
/// take all (Presentation::takes_all_units). A transfer takes no unit. The clock is the point's most trusted one. Of a published figure units and clock are what its document says, and bytes
/// per unit-cycle that it prints go before the division. Without gb_per_s all of a run's is absent.
NormalizedBandwidth hold_against_limit(const PointResult& result, const Header& header, const DeviceLimits& device_limits);

}  // namespace percycle
