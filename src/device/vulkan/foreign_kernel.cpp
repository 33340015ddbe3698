#include "device/vulkan/foreign_kernel.hpp"

#include "device/vulkan/memory.hpp"

namespace percycle::vulkan {

std::optional<VulkanHandles> raw_buffer(const Buffer& buffer) {
  const auto* const known = dynamic_cast<const VulkanBuffer*>(&buffer);
  if (known == nullptr) return std::nullopt;
  const LogicalDevice& device = known->device();
  return VulkanHandles{.physical = device.physical().handle,
                       .device = device.handle(),
                       .queue = device.queue(),
                       .family = device.family(),
                       .buffer = known->handle()};
}

}  // namespace percycle::vulkan
