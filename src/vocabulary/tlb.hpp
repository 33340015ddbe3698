#pragma once

#include "vocabulary/chases.hpp"

namespace percycle {

namespace experiment {
inline constexpr const char* kTlb = "tlb";
}

namespace parameter {
inline constexpr const char* kPlace = "place";  ///< position of the lines relative to the caches
inline constexpr const char* kSpan = "span";    ///< bytes over which the lines are spread
inline constexpr const char* kStep = "step";    ///< bytes from place to place
}  // namespace parameter

namespace tlb_place {
inline constexpr const char* kInside = "inside";  ///< inside the first cache
/// beyond the first cache: some devices translate only its misses
inline constexpr const char* kBeyond = "beyond";
inline constexpr const char* kOutside = "outside";  ///< outside all caches
}  // namespace tlb_place

/// Values of parameter `test`, with the parameters of each.
namespace tlb_test {
inline constexpr const char* kSpan = "span";  ///< span: random walk over it
/// near (bytes of reach), step: 1.75 times the reach in steps
inline constexpr const char* kPage = "page";
inline constexpr const char* kEntries = "entries";  ///< near, step, columns: that many steps
}  // namespace tlb_test

}  // namespace percycle
