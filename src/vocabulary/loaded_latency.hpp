#pragma once

#include "vocabulary/chases.hpp"

namespace percycle {

namespace experiment {
inline constexpr const char* kLoadedLatency = "loaded-latency";
}

namespace parameter {
inline constexpr const char* kOperation = "operation";  ///< of those that move data
/// Share of the time that they spend with moving, about, in percent; 0: there are none.
inline constexpr const char* kLoad = "load";
inline constexpr const char* kChain = "chain";  ///< bytes that the walk covers; 0: no level for it
}  // namespace parameter

namespace loaded_level {
inline constexpr const char* kL2 = "l2";
inline constexpr const char* kMemory = "memory";
// Levels of one unit: the other subgroups of the walk's work-group read them.
inline constexpr const char* kLocal = "local";
inline constexpr const char* kL1 = "l1";
}  // namespace loaded_level

}  // namespace percycle
