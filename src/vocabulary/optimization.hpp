#pragma once

namespace percycle {

namespace parameter {
inline constexpr const char* kOptimization = "optimization";
}

/// Words of `optimization`, as documents use them.
namespace optimization {
inline constexpr const char* kOn = "O3";
inline constexpr const char* kOff = "O0";
}  // namespace optimization

}  // namespace percycle
