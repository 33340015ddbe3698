#pragma once

#include <span>

#include "core/sample.hpp"
#include "device/info.hpp"

namespace percycle {

/// Reduces the stamps of one dispatch's work-groups. Pure. Values are empty if the device cannot
/// read them or a counter ran backwards in any group; one may wrap as for elapsed_ticks(). Counters
/// of two units are not compared: their zeros differ. Throws std::invalid_argument without stamps.
GroupClocks reduce(std::span<const GroupStamp> stamps, const DeviceInfo& device);

/// The same for a dispatch whose first groups (first half of `stamps`) and last groups left stamps.
/// A unit counts from its first start to its last end, if it ran groups of both halves. No
/// groups_per_tick and groups_at_once: the number of groups in between is unknown.
GroupClocks reduce_ends(std::span<const GroupStamp> stamps, const DeviceInfo& device);

}  // namespace percycle
