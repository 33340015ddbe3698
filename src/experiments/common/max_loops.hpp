#pragma once

#include <cstdint>

#include "device/info.hpp"

namespace percycle {

/// Most turns of a timed loop beside `other_loops` turns of the kernel's other loops, at least 1.
/// Some devices limit the iterations of all loops together (DeviceInfo::max_loop_iterations), and
/// lavapipe also counts the last check of each loop: a kernel has at most three.
inline std::uint64_t max_loops(const DeviceInfo& device, std::uint64_t other_loops) {
  const std::uint64_t limit = device.max_loop_iterations.value_or(UINT32_MAX) - 3;
  return limit > other_loops ? limit - other_loops : 1;
}

}  // namespace percycle
