#pragma once

#include "vocabulary/geometry.hpp"

namespace percycle {

namespace experiment {
inline constexpr const char* kL2Map = "l2-map";
}

namespace parameter {
inline constexpr const char* kAccess = "access";  ///< the kind of access past the unit's caches
inline constexpr const char* kPart = "part";      ///< number of the set of lines, from 0 on
inline constexpr const char* kLines = "lines";    ///< of a part
}  // namespace parameter

/// Series `ticks` of a point has the ticks of all timed accesses of unit 0 to line 0, line 1, ...,
/// then of unit 1.
namespace l2_map_access {
inline constexpr const char* kLoad = "load";      ///< volatile loads
inline constexpr const char* kAtomic = "atomic";  ///< atomics that change nothing
}  // namespace l2_map_access

}  // namespace percycle
