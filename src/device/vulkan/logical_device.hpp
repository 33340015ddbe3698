#pragma once

#include <volk.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "device/info.hpp"
#include "device/vulkan/instance.hpp"
#include "device/vulkan/physical_device.hpp"

namespace percycle::vulkan {

struct DeviceQueue {
  std::uint32_t family = 0;
  VkQueue handle = VK_NULL_HANDLE;
};

/// The VkDevice with its functions and its queues. All objects made from it share it, so
/// that it is destroyed last.
class LogicalDevice {
 public:
  /// Opens a device with the features in PhysicalDevice::features only: without robust buffer
  /// access, whose bounds checks would be timed. Throws DeviceError.
  LogicalDevice(std::shared_ptr<const Instance> instance, PhysicalDevice physical, DeviceInfo info);
  ~LogicalDevice();
  LogicalDevice(const LogicalDevice&) = delete;
  LogicalDevice& operator=(const LogicalDevice&) = delete;

  VkDevice handle() const { return handle_; }
  const VolkDeviceTable& api() const { return api_; }
  const PhysicalDevice& physical() const { return physical_; }
  const DeviceInfo& info() const { return info_; }
  std::uint32_t family() const { return family_; }
  VkQueue queue() const { return queue_; }
  /// Those of vulkan::copy_queues().
  const std::vector<DeviceQueue>& copy_queues() const { return copy_queues_; }
  /// Those of vulkan::second_queue() and vulkan::queue_of_other_family().
  const std::optional<DeviceQueue>& second_queue() const { return second_queue_; }
  const std::optional<DeviceQueue>& queue_of_other_family() const { return queue_of_other_family_; }
  /// The families of all queues, which share every buffer; the first is that of the compute queue.
  const std::vector<std::uint32_t>& families() const { return families_; }
  /// Compares the device's clock with the host's; null if the driver cannot.
  PFN_vkGetCalibratedTimestampsEXT calibrated_timestamps() const { return calibrated_timestamps_; }

  /// Throws DeviceError on a device that can only compile.
  void require_runnable(const char* call) const;

 private:
  std::shared_ptr<const Instance> instance_;
  PhysicalDevice physical_;
  DeviceInfo info_;
  VkDevice handle_ = VK_NULL_HANDLE;
  VolkDeviceTable api_{};
  std::uint32_t family_ = 0;
  VkQueue queue_ = VK_NULL_HANDLE;
  std::vector<DeviceQueue> copy_queues_;
  std::optional<DeviceQueue> second_queue_;
  std::optional<DeviceQueue> queue_of_other_family_;
  std::vector<std::uint32_t> families_;
  PFN_vkGetCalibratedTimestampsEXT calibrated_timestamps_ = nullptr;
};

/// Owns a handle of a device: destroys it with the function `Destroy` and keeps the device alive
/// until then.
template <typename Handle, auto Destroy>
class Owned {
 public:
  Owned() = default;
  Owned(std::shared_ptr<const LogicalDevice> device, Handle handle) : device_(std::move(device)), handle_(handle) {}
  Owned(Owned&& other) noexcept : device_(std::move(other.device_)), handle_(std::exchange(other.handle_, Handle{})) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Owned() {
    if (handle_ != Handle{}) (device_->api().*Destroy)(device_->handle(), handle_, nullptr);
  }

  Handle get() const { return handle_; }

 private:
  std::shared_ptr<const LogicalDevice> device_;
  Handle handle_{};
};

using OwnedBuffer = Owned<VkBuffer, &VolkDeviceTable::vkDestroyBuffer>;
using OwnedBufferView = Owned<VkBufferView, &VolkDeviceTable::vkDestroyBufferView>;
using OwnedImage = Owned<VkImage, &VolkDeviceTable::vkDestroyImage>;
using OwnedImageView = Owned<VkImageView, &VolkDeviceTable::vkDestroyImageView>;
using OwnedMemory = Owned<VkDeviceMemory, &VolkDeviceTable::vkFreeMemory>;
using OwnedShaderModule = Owned<VkShaderModule, &VolkDeviceTable::vkDestroyShaderModule>;
using OwnedSampler = Owned<VkSampler, &VolkDeviceTable::vkDestroySampler>;
using OwnedSetLayout = Owned<VkDescriptorSetLayout, &VolkDeviceTable::vkDestroyDescriptorSetLayout>;
using OwnedDescriptorPool = Owned<VkDescriptorPool, &VolkDeviceTable::vkDestroyDescriptorPool>;
using OwnedPipelineLayout = Owned<VkPipelineLayout, &VolkDeviceTable::vkDestroyPipelineLayout>;
using OwnedPipelineCache = Owned<VkPipelineCache, &VolkDeviceTable::vkDestroyPipelineCache>;
using OwnedPipeline = Owned<VkPipeline, &VolkDeviceTable::vkDestroyPipeline>;
using OwnedCommandPool = Owned<VkCommandPool, &VolkDeviceTable::vkDestroyCommandPool>;
using OwnedSemaphore = Owned<VkSemaphore, &VolkDeviceTable::vkDestroySemaphore>;
using OwnedFence = Owned<VkFence, &VolkDeviceTable::vkDestroyFence>;
using OwnedQueryPool = Owned<VkQueryPool, &VolkDeviceTable::vkDestroyQueryPool>;

}  // namespace percycle::vulkan
