#pragma once

#include <functional>
#include <memory>

#include "core/sample.hpp"
#include "device/vulkan/logical_device.hpp"

namespace percycle::vulkan {

/// Runs one piece of work at a time on the compute queue and times it. Reuses one command pool,
/// fence and query pool.
class Submitter {
 public:
  explicit Submitter(std::shared_ptr<const LogicalDevice> device);

  /// Records `work` between full memory barriers, submits it and waits. The device time runs from
  /// the top of the pipe to the end of the work's `stage`; it is empty if the timestamps are
  /// unusable. Throws DeviceError, of kind lost if the device does not respond.
  Timing submit(const std::function<void(VkCommandBuffer)>& work, VkPipelineStageFlagBits stage);

 private:
  void record(const std::function<void(VkCommandBuffer)>& work, VkPipelineStageFlagBits stage);
  void wait() const;
  std::optional<double> device_ns() const;

  std::shared_ptr<const LogicalDevice> device_;
  OwnedCommandPool pool_;
  VkCommandBuffer commands_ = VK_NULL_HANDLE;  ///< freed with its pool
  OwnedFence fence_;
  OwnedQueryPool queries_;  ///< empty if the device has no timer
};

}  // namespace percycle::vulkan
