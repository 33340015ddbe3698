#pragma once

#include <span>

#include "core/sample.hpp"
#include "device/info.hpp"

namespace percycle {

/// Reduces the stamps of one dispatch's work-groups. Pure. Values are empty if the device cannot
/// read them or a counter ran backwards in any group; one may wrap as for elapsed_ticks(). Counters
/// of two units are not compared: their zeros differ. Throws std::invalid_argument without stamps.
GroupClocks reduce(std::span<const GroupStamp> stamps, const DeviceInfo& device);

}  // namespace percycle
