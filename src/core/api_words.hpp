#pragma once

#include <string_view>

#include "core/api.hpp"

namespace percycle {

/// "OpenCL", "Vulkan", "simulated".
inline std::string_view api_words(Api api) { return api == Api::opencl ? "OpenCL" : api == Api::vulkan ? "Vulkan" : "simulated"; }

}  // namespace percycle
