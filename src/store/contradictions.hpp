#pragma once

#include "store/record.hpp"

namespace percycle {

/// Throws std::invalid_argument if numbers of a measured point contradict each other or the header:
/// statistics unlike their samples, a minimum above a median, more verified samples than samples, a
/// clock that nothing gives, a footprint above the device's memory.
void check_contradictions(const Header& header, const PointResult& result);

}  // namespace percycle
