#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "device/device.hpp"
#include "device/vulkan/logical_device.hpp"

namespace percycle::vulkan {

/// A VkBuffer with its own vkAllocateMemory, never exportable: NVIDIA compresses exportable memory,
/// so constant data reads faster than DRAM can.
struct BoundBuffer {
  OwnedMemory memory;  ///< destroyed after the buffer
  OwnedBuffer buffer;
};

/// Device-local memory, or the host's, for every kind of binding.
class VulkanBuffer final : public Buffer {
 public:
  /// Throws DeviceError, of kind out_of_memory also if the buffer exceeds the whole heap.
  VulkanBuffer(const std::shared_ptr<const LogicalDevice>& device, std::uint64_t bytes, bool is_host_memory = false);

  std::uint64_t bytes() const override { return bytes_; }
  VkBuffer handle() const { return bound_.buffer.get(); }
  std::optional<std::uint64_t> address() const { return address_; }
  const LogicalDevice& device() const { return *device_; }

 private:
  std::shared_ptr<const LogicalDevice> device_;
  std::uint64_t bytes_;
  BoundBuffer bound_;
  std::optional<std::uint64_t> address_;
};

/// A uniform texel buffer view of a whole buffer.
class VulkanImage final : public Image {
 public:
  VulkanImage(const std::shared_ptr<const LogicalDevice>& device, const ImageDesc& desc);

  VkBufferView handle() const { return view_.get(); }
  const LogicalDevice& device() const { return buffer_->device(); }

 private:
  std::shared_ptr<const VulkanBuffer> buffer_;
  OwnedBufferView view_;
};

/// An image of two dimensions in the driver's tiling, without contents until `record_upload` runs.
class VulkanImage2d final : public Image {
 public:
  /// Throws DeviceError, of kind unsupported if the device lacks the format.
  VulkanImage2d(std::shared_ptr<const LogicalDevice> device, const ImageDesc& desc);

  /// Records the copy of the buffer's rows, after which kernels can read them.
  void record_upload(VkCommandBuffer commands, const VulkanBuffer& buffer) const;
  VkImageView handle() const { return view_.get(); }
  const LogicalDevice& device() const { return *device_; }
  static constexpr VkImageLayout kLayout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;

 private:
  std::shared_ptr<const LogicalDevice> device_;
  VkExtent3D extent_;
  OwnedMemory memory_;  ///< destroyed after the image
  OwnedImage image_;
  OwnedImageView view_;
};

/// Host memory that the device accesses, mapped for life. Coherent, and cached by the host if the
/// driver offers it, because reading write-combined memory is slow.
class StagingBuffer {
 public:
  StagingBuffer(const std::shared_ptr<const LogicalDevice>& device, std::uint64_t bytes);

  std::uint64_t bytes() const { return bytes_; }
  VkBuffer handle() const { return bound_.buffer.get(); }
  std::byte* data() const { return data_; }

 private:
  std::uint64_t bytes_;
  BoundBuffer bound_;
  std::byte* data_ = nullptr;  ///< unmapped with the memory
};

}  // namespace percycle::vulkan
