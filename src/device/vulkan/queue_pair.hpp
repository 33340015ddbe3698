#pragma once

#include <array>
#include <functional>
#include <memory>

#include "core/sample.hpp"
#include "device/vulkan/logical_device.hpp"

namespace percycle::vulkan {

/// Copies on two queues at once. Each has its own command pool and fence.
class QueuePair {
 public:
  using Work = std::function<void(VkCommandBuffer)>;

  QueuePair(std::shared_ptr<const LogicalDevice> device, const std::array<DeviceQueue, 2>& queues);

  /// Records a reset of the timestamps, which submit() needs each time. A queue that only copies
  /// cannot do it.
  void reset(VkCommandBuffer commands) const;

  /// Records both copies between full memory barriers, submits them and waits for both. The device
  /// time runs from the start of the first to the end of the last. Throws DeviceError.
  Timing submit(const std::array<Work, 2>& copies);

 private:
  struct QueueSide {
    VkQueue queue = VK_NULL_HANDLE;
    OwnedCommandPool pool{};
    VkCommandBuffer commands = VK_NULL_HANDLE;  ///< freed with its pool
    OwnedFence fence{};
  };

  QueueSide side_of(const DeviceQueue& queue) const;
  void record(const QueueSide& side, std::uint32_t first_query, const Work& copy) const;
  std::optional<double> device_ns() const;

  std::shared_ptr<const LogicalDevice> device_;
  std::array<QueueSide, 2> sides_;
  OwnedQueryPool queries_;  ///< begin and end of each; empty if the device has no timer
};

}  // namespace percycle::vulkan
