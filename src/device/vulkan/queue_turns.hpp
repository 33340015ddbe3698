#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>

#include "device/device.hpp"
#include "device/vulkan/logical_device.hpp"

namespace percycle::vulkan {

/// Work that two queues, or one, take in turn, each time as a submission.
class QueueTurns {
 public:
  using Work = std::function<void(VkCommandBuffer)>;

  /// The queues may be the same.
  QueueTurns(std::shared_ptr<const LogicalDevice> device, const std::array<DeviceQueue, 2>& queues);

  /// Records a reset of the timestamps, which submit() needs before.
  void reset(VkCommandBuffer commands) const;

  /// Records the work `count` times, submits all and waits. With `waits`, each waits for the one
  /// before: by a semaphore between two queues, by a barrier within one. The device time runs from
  /// the start of the first to the end of the last. Call it once. Throws DeviceError.
  QueuedTiming submit(std::uint32_t count, bool waits, const Work& work);

 private:
  struct TurnQueue {
    VkQueue queue = VK_NULL_HANDLE;
    OwnedCommandPool pool{};
    OwnedFence fence{};
  };

  void record(VkCommandBuffer commands, std::uint32_t turn, std::uint32_t count, bool barrier, const Work& work) const;
  void put_device_times(QueuedTiming& timing, std::uint32_t count) const;

  std::shared_ptr<const LogicalDevice> device_;
  std::array<TurnQueue, 2> sides_;
  /// Begin and end of the first and of the last; empty if the device has no timer.
  OwnedQueryPool queries_;
};

}  // namespace percycle::vulkan
