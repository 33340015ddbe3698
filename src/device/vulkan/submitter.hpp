#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>

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
  /// Submits nothing but `work`, without barriers and timestamps, and waits. There is no device
  /// time.
  Timing submit_alone(const std::function<void(VkCommandBuffer)>& work);

 private:
  std::optional<double> device_ns() const;

  std::shared_ptr<const LogicalDevice> device_;
  OwnedCommandPool pool_;
  VkCommandBuffer commands_ = VK_NULL_HANDLE;  ///< freed with its pool
  OwnedFence fence_;
  OwnedQueryPool queries_;  ///< empty if the device has no timer
};

// The parts of a submission. They throw DeviceError.

OwnedCommandPool command_pool(const std::shared_ptr<const LogicalDevice>& device, std::uint32_t family);
VkCommandBuffer command_buffer(const LogicalDevice& device, VkCommandPool pool);
OwnedFence unsignalled_fence(const std::shared_ptr<const LogicalDevice>& device);
OwnedQueryPool timestamp_pool(const std::shared_ptr<const LogicalDevice>& device, std::uint32_t count);
/// Begins commands that are submitted once.
void begin_commands(const LogicalDevice& device, VkCommandBuffer commands);
/// All earlier work is finished and visible to all later work, transfers and the host included, as
/// Device promises.
void full_barrier(const VolkDeviceTable& api, VkCommandBuffer commands);
/// Waits until the fence is signalled. Returns when the wait ended, before the checks that a
/// program does without. Throws DeviceError of kind lost if the device does not respond.
std::chrono::steady_clock::time_point wait_for(const LogicalDevice& device, VkFence fence);

/// The raw timestamps of a pool; empty if one is not available.
template <std::size_t Count>
std::optional<std::array<std::uint64_t, Count>> read_timestamps(const LogicalDevice& device, VkQueryPool queries);
extern template std::optional<std::array<std::uint64_t, 2>> read_timestamps(const LogicalDevice&, VkQueryPool);
extern template std::optional<std::array<std::uint64_t, 4>> read_timestamps(const LogicalDevice&, VkQueryPool);

}  // namespace percycle::vulkan
