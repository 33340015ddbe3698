#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/api.hpp"

namespace percycle {

/// The driver manifests (ICD files) that this API's loader would read, in its order. OpenCL:
/// ocl-icd(7), OCL_ICD_VENDORS. Vulkan: "Loader and Driver Interface", "Driver Discovery on Linux";
/// VK_DRIVER_FILES.
std::vector<std::string> driver_manifests(Api api);

/// The library that the text of the driver manifest `file` names: a path, or a name that the
/// dynamic linker searches; "" if it names none. Empty if the manifest is for 32-bit programs.
std::optional<std::string> library_of(Api api, const std::string& file, const std::string& text);

}  // namespace percycle
