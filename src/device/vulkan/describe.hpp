#pragma once

#include <cstdint>

#include "device/info.hpp"
#include "device/vulkan/physical_device.hpp"

namespace percycle::vulkan {

/// A driver's answers as the rest of percycle reads them: what it does not say is absent, what cannot be true is refused, each
/// with its line in `lacks`. Pure.
DeviceInfo describe(const PhysicalDevice& device, std::uint32_t index);

}  // namespace percycle::vulkan
