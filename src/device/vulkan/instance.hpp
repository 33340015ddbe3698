#pragma once

#include <volk.h>

#include <memory>
#include <vector>

namespace percycle::vulkan {

/// The loader, opened at run time, and the process's VkInstance.
class Instance {
 public:
  /// Throws DeviceError: no loader, no driver, or a Vulkan 1.0 loader.
  Instance();
  ~Instance();
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  /// Devices in the loader's order.
  std::vector<VkPhysicalDevice> physical_devices() const;

  /// The devices of the driver's device group, the device itself among them; empty if the driver
  /// names none.
  std::vector<VkPhysicalDevice> group_of(VkPhysicalDevice device) const;

 private:
  VkInstance handle_ = VK_NULL_HANDLE;
};

/// The only instance, because volk's instance functions are globals. Made at first use and kept
/// until the process ends: drivers do not survive calls from static destructors, and reloading them
/// costs time and exposes their bugs. Throws DeviceError and tries again at the next call.
std::shared_ptr<const Instance> shared_instance();

}  // namespace percycle::vulkan
