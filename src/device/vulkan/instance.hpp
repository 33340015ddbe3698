#pragma once

#include <volk.h>

#include <memory>
#include <vector>

namespace percycle::vulkan {

/// The loader, opened at run time, and the process's VkInstance.
class Instance {
 public:
  /// Throws DeviceError: no loader, no driver, or a loader of Vulkan 1.0.
  Instance();
  ~Instance();
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  /// In the loader's order.
  std::vector<VkPhysicalDevice> physical_devices() const;

 private:
  VkInstance handle_ = VK_NULL_HANDLE;
};

/// The one instance, alive while anybody holds it: volk's instance functions are globals, so there cannot be two. Not a static
/// object, because drivers do not survive calls from static destructors.
std::shared_ptr<const Instance> shared_instance();

}  // namespace percycle::vulkan
