#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "device/info.hpp"
#include "device/kernel.hpp"
#include "device/vulkan/physical_device.hpp"

namespace percycle::vulkan {

/// The SPIR-V of a kernel's own text `source`, of file `file`, behind all that stands in front of it: version, extensions that the device has, macros,
/// LOCAL_SIZE, prelude, constants and the parameter block. Throws as compile_glsl() does.
std::vector<std::uint32_t> compile_kernel(const KernelDesc& desc, const std::string& file, std::string_view source,
                                          const DeviceInfo& info, const Features& features, std::uint32_t api_version);

}  // namespace percycle::vulkan
