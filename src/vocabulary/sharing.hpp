#pragma once

#include "vocabulary/chases.hpp"

namespace percycle {

namespace experiment {
inline constexpr const char* kSharing = "sharing";
}

namespace parameter {
inline constexpr const char* kFirst = "first";  ///< path of the first chain
inline constexpr const char* kFirstBytes = "first_bytes";
inline constexpr const char* kFirstStride = "first_stride";
inline constexpr const char* kSecond = "second";
inline constexpr const char* kSecondBytes = "second_bytes";
inline constexpr const char* kSecondStride = "second_stride";
/// Number of groups that walk chains at the same time.
inline constexpr const char* kGroups = "groups";
}  // namespace parameter

namespace sharing_test {
inline constexpr const char* kPaths = "paths";  ///< first, second
inline constexpr const char* kUnits = "units";  ///< path, bytes, groups
/// An option that plans points of kUnits on the constant path.
inline constexpr const char* kConstants = "constants";
}  // namespace sharing_test

}  // namespace percycle
