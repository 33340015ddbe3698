#pragma once

#include <span>

#include "core/sample.hpp"
#include "device/info.hpp"

namespace percycle {

/// What the stamps of one dispatch's work-groups say together. Pure. What the device cannot read is absent, and so is what follows from a
/// counter that ran backwards in any group; a counter may wrap within the dispatch, as for elapsed_ticks(). Units' counters are never
/// compared with each other: each has a zero of its own. Throws std::invalid_argument when there are no stamps.
GroupClocks reduce(std::span<const GroupStamp> stamps, const DeviceInfo& device);

}  // namespace percycle
