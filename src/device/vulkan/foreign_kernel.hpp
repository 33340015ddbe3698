#pragma once

#include <volk.h>

#include <cstdint>
#include <optional>

#include "device/device.hpp"

namespace percycle::vulkan {

/// Work that another library records. Device::launch takes it as the kernel of dependent launches,
/// without bindings and parameters.
class VulkanForeignKernel : public Kernel {
 public:
  /// Records the work once. Throws DeviceError.
  virtual void record(VkCommandBuffer commands) = 0;
};

/// The API's objects behind a buffer; they live as long as it does.
struct VulkanHandles {
  VkPhysicalDevice physical = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  VkQueue queue = VK_NULL_HANDLE;
  std::uint32_t family = 0;
  VkBuffer buffer = VK_NULL_HANDLE;
};

/// Empty if the buffer was not made through Vulkan.
std::optional<VulkanHandles> raw_buffer(const Buffer& buffer);

}  // namespace percycle::vulkan
