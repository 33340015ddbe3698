#pragma once

#include "vocabulary/chases.hpp"

namespace percycle {

namespace experiment {
inline constexpr const char* kPrivateCaches = "private-caches";
}

namespace parameter {
inline constexpr const char* kActive = "active";  ///< number of subgroups that walk
inline constexpr const char* kOther = "other";    ///< the subgroup that walks beside subgroup 0
}  // namespace parameter

namespace private_caches_test {
inline constexpr const char* kCount = "count";  ///< active
inline constexpr const char* kPair = "pair";    ///< other
}  // namespace private_caches_test

}  // namespace percycle
