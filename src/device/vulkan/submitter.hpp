#pragma once

#include <functional>
#include <memory>

#include "core/sample.hpp"
#include "device/vulkan/logical_device.hpp"

namespace percycle::vulkan {

/// Runs one piece of work at a time on the compute queue and times it. One command pool, fence and query pool, used again and
/// again.
class Submitter {
 public:
  explicit Submitter(std::shared_ptr<const LogicalDevice> device);

  /// Records `work` between full memory barriers, submits it and waits. The device's time runs from the top of the pipe until
  /// `stage` of the work is done; it is absent where the timestamps say nothing. Throws DeviceError; of kind lost when the device
  /// does not come back.
  Timing submit(const std::function<void(VkCommandBuffer)>& work, VkPipelineStageFlagBits stage);

 private:
  void record(const std::function<void(VkCommandBuffer)>& work, VkPipelineStageFlagBits stage);
  void wait() const;
  std::optional<double> device_ns() const;

  std::shared_ptr<const LogicalDevice> device_;
  OwnedCommandPool pool_;
  VkCommandBuffer commands_ = VK_NULL_HANDLE;  ///< freed with its pool
  OwnedFence fence_;
  OwnedQueryPool queries_;  ///< empty where the device has no timer
};

}  // namespace percycle::vulkan
