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

/// The one instance: volk's instance functions are globals, so there cannot be two. Made when first asked for, and left to the end of the
/// process: drivers do not survive calls from static destructors, and unloading and reloading them between enumeration and opening costs
/// time and finds their bugs. Throws DeviceError, and tries again when asked again.
std::shared_ptr<const Instance> shared_instance();

}  // namespace percycle::vulkan
