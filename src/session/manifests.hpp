#pragma once

#include <string>
#include <vector>

#include "core/api.hpp"

namespace percycle {

/// The driver manifests (ICD files) that this API's loader would read, in its order. OpenCL:
/// ocl-icd(7), OCL_ICD_VENDORS. Vulkan: "Loader and Driver Interface", "Driver Discovery on Linux";
/// VK_DRIVER_FILES.
std::vector<std::string> driver_manifests(Api api);

}  // namespace percycle
