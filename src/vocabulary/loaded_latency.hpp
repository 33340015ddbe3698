#pragma once

#include "vocabulary/chases.hpp"

namespace percycle {

namespace experiment {
inline constexpr const char* kLoadedLatency = "loaded-latency";
}

namespace parameter {
inline constexpr const char* kOperation = "operation";  ///< of the work-groups that move data
/// Share of the time that they spend with moving, about, in percent; 0: there are none.
inline constexpr const char* kLoad = "load";
inline constexpr const char* kChain = "chain";  ///< bytes that the walk covers
}  // namespace parameter

namespace loaded_level {
inline constexpr const char* kL2 = "l2";
inline constexpr const char* kMemory = "memory";
}  // namespace loaded_level

}  // namespace percycle
