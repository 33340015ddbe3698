#pragma once

#include <optional>
#include <string>

#include "store/record.hpp"

namespace percycle {

/// A core clock outside 50 to 6000 MHz, of any source.
std::optional<std::string> impossible_clock(const Header& header, const PointResult& result);

/// Two sources of the core clock that are too far apart. Telemetry may be older than a short point,
/// and a report is the highest clock: both may differ by more, in that direction.
std::optional<std::string> contradicting_clocks(const Header& header, const PointResult& result);

}  // namespace percycle
