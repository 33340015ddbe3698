#pragma once

#include <volk.h>

#include <vector>

#include "device/kernel.hpp"
#include "device/vulkan/logical_device.hpp"

namespace percycle::vulkan {

/// What VK_KHR_pipeline_executable_properties says of a pipeline made with VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR. A
/// driver that keeps several executables of one kernel (Intel: one per SIMD width) gets each statistic under the executable's
/// name, and no subgroup size unless all agree. Negative and fractional statistics are left out. Throws DeviceError.
CodeInfo executable_statistics(const LogicalDevice& device, VkPipeline pipeline);

/// The textual internal representations of a pipeline made with VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR, those of several
/// executables under the executable's name too. Throws DeviceError.
std::vector<CodeText> executable_texts(const LogicalDevice& device, VkPipeline pipeline);

}  // namespace percycle::vulkan
