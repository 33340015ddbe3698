#pragma once

#include <vector>

#include "target.hpp"

namespace percycle::audit {

/// Intel's GPUs through Vulkan. They need Mesa's no-op DRM shim in LD_PRELOAD (tools/build-anv-shim) and the chip in
/// INTEL_STUB_GPU_PLATFORM.
const std::vector<Target>& anv_targets();

/// Throws std::runtime_error in one line where these are not there, or the driver is not installed.
Compiler anv(const Target& target);

}  // namespace percycle::audit
