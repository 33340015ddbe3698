#pragma once

#include <cstdint>

#include "device/info.hpp"
#include "device/vulkan/physical_device.hpp"

namespace percycle::vulkan {

/// A driver's answers in percycle's form. Missing values are empty and impossible ones dropped,
/// each with a line in `lacks`. Pure.
DeviceInfo describe(const PhysicalDevice& device, std::uint32_t index);

}  // namespace percycle::vulkan
