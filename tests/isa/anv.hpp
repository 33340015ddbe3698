#pragma once

#include "target.hpp"

namespace percycle::audit {

/// An Intel GPU through Vulkan. Needs Mesa's no-op DRM shim in LD_PRELOAD (tools/build-anv-shim)
/// and the chip in INTEL_STUB_GPU_PLATFORM. Throws std::runtime_error in one line if these or the
/// driver are missing.
Compiler anv(const Target& target);

}  // namespace percycle::audit
