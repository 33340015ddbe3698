#pragma once

#include <string>

#include "device/info.hpp"
#include "device/kernel.hpp"
#include "device/vulkan/physical_device.hpp"

namespace percycle::vulkan {

/// What stands in front of a kernel's own text, up to the prelude: version, the extensions that the device has, the macros,
/// LOCAL_SIZE.
std::string glsl_head(const KernelDesc& desc, const DeviceInfo& info, const Features& features);

/// The declaration of the uniform buffer behind KernelDesc::constants; empty when there are none.
std::string glsl_constants(const KernelDesc& desc);

}  // namespace percycle::vulkan
