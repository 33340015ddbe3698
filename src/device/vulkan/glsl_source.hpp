#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "device/info.hpp"
#include "device/kernel.hpp"
#include "device/vulkan/physical_device.hpp"

namespace percycle::vulkan {

/// What stands in front of a kernel's own text, up to the prelude: version, the extensions that the device has, the macros,
/// LOCAL_SIZE.
std::string glsl_head(const KernelDesc& desc, const DeviceInfo& info, const Features& features);

/// The declaration of the uniform buffer behind KernelDesc::constants; empty when there are none.
std::string glsl_constants(const KernelDesc& desc);

/// The SPIR-V of a kernel's own text `source`, of file `file`, behind all that stands in front of it. Throws as compile_glsl() does.
std::vector<std::uint32_t> compile_kernel(const KernelDesc& desc, const std::string& file, std::string_view source,
                                          const DeviceInfo& info, const Features& features, std::uint32_t api_version);

}  // namespace percycle::vulkan
