#pragma once

#include <optional>
#include <string>

#include "store/record.hpp"

namespace percycle {

/// A core clock outside 50 to 6000 MHz, of any source.
std::optional<std::string> impossible_clock(const Header& header, const PointResult& result);

/// Two sources of the core clock that are too far apart. Reports and chains are rough, and
/// telemetry below another source may be older than a short point: these may differ by more.
std::optional<std::string> contradicting_clocks(const Header& header, const PointResult& result);

}  // namespace percycle
