#pragma once

#include "vocabulary/chases.hpp"

namespace percycle {

namespace experiment {
inline constexpr const char* kLatency = "latency";
}

namespace parameter {
inline constexpr const char* kLanes = "lanes";
inline constexpr const char* kOrder = "order";
}  // namespace parameter

namespace latency_lanes {
inline constexpr const char* kOne = "1";
inline constexpr const char* kSubgroup = "subgroup";
}  // namespace latency_lanes

namespace latency_order {
inline constexpr const char* kRandom = "random";
inline constexpr const char* kSequential = "sequential";
}  // namespace latency_order

}  // namespace percycle
