#pragma once

#include "vocabulary/chases.hpp"

namespace percycle {

namespace experiment {
inline constexpr const char* kGeometry = "geometry";
}

namespace parameter {
inline constexpr const char* kCandidate = "candidate";
inline constexpr const char* kFactor = "factor";
inline constexpr const char* kBlock = "block";    ///< size of a block
inline constexpr const char* kApart = "apart";    ///< bytes from block to block
inline constexpr const char* kBlocks = "blocks";  ///< number of blocks
inline constexpr const char* kEvict = "evict";    ///< bytes read to empty the caches
}  // namespace parameter

namespace series {
inline constexpr const char* kTicks = "ticks";  ///< per load
}

/// Values of parameter `test`, with the parameters of each.
namespace geometry_test {
/// footprint: the latency curve, neighbours together
inline constexpr const char* kSweep = "sweep";
inline constexpr const char* kFetch = "fetch";  ///< level, stride
/// level, divisor: footprint is 0.7 of the size over it, without gaps
inline constexpr const char* kGaps = "gaps";
inline constexpr const char* kLine = "line";      ///< level, candidate, factor
inline constexpr const char* kAlias = "alias";    ///< level, block, apart, blocks
inline constexpr const char* kFactor = "factor";  ///< level, block, apart, blocks
inline constexpr const char* kWays = "ways";      ///< level, block, apart, blocks
/// Times each load: memory not seen before.
inline constexpr const char* kFirstTouch = "first-touch";
/// Times each load: one block more than there are ways, repeatedly.
inline constexpr const char* kSecondPass = "second-pass";
}  // namespace geometry_test

}  // namespace percycle
