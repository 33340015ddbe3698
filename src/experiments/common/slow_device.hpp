#pragma once

#include "device/info.hpp"

namespace percycle {

/// CPUs and simulated devices: they move data a hundred times slower than GPUs, so time limits
/// their footprints.
inline bool is_slow(const DeviceInfo& device) { return device.type != DeviceType::gpu || !device.model.empty(); }

}  // namespace percycle
