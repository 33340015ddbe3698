#pragma once

#include <volk.h>

#include <vector>

#include "device/kernel.hpp"
#include "device/vulkan/logical_device.hpp"

namespace percycle::vulkan {

/// Statistics of a pipeline made with VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR, without
/// negative and fractional ones. With several executables (Intel: one per SIMD width) each name has
/// its executable's, and there is a subgroup size only if all agree. Throws DeviceError.
CodeInfo executable_statistics(const LogicalDevice& device, VkPipeline pipeline);

/// The textual representations of a pipeline made with
/// VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR, with the executable's name if there
/// are several. Throws DeviceError.
std::vector<CodeText> executable_texts(const LogicalDevice& device, VkPipeline pipeline);

}  // namespace percycle::vulkan
