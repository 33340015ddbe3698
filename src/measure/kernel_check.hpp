#pragma once

#include "device/device.hpp"

namespace percycle {

/// Whether a kernel of known result ends with it. A driver may report success and run nothing. True
/// if the device cannot build or start this kernel: that tells nothing of others. Throws
/// DeviceError if the device is lost.
bool runs_kernels(Device& device);

}  // namespace percycle
