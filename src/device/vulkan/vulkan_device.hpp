#pragma once

#include <memory>
#include <mutex>
#include <optional>

#include "device/device.hpp"
#include "device/spare_list.hpp"
#include "device/vulkan/logical_device.hpp"
#include "device/vulkan/memory.hpp"
#include "device/vulkan/submitter.hpp"

namespace percycle::vulkan {

/// The Device interface over one VkDevice.
///
/// Transfers go through a staging buffer, which the driver has always mapped and page-locked. HostMemory::pinned therefore means
/// that the bytes are already (write) or still (read) in the staging buffer when the timing starts (ends), so that host_ns covers
/// the device's copy alone; HostMemory::pageable times the host's copy into or out of it as well, which is what an application
/// with ordinary memory pays.
class VulkanDevice final : public Device {
 public:
  explicit VulkanDevice(std::shared_ptr<const LogicalDevice> device);

  const DeviceInfo& info() const override { return device_->info(); }
  std::shared_ptr<Buffer> create(const BufferDesc& desc) override;
  std::shared_ptr<Image> create(const ImageDesc& desc) override;
  std::shared_ptr<Kernel> create(const KernelDesc& desc) override;
  std::optional<std::uint64_t> address(const Buffer& buffer) const override;
  std::optional<CodeInfo> code(const Kernel& kernel) const override;
  std::vector<CodeText> code_texts(const Kernel& kernel) const override;
  std::vector<CodeBinary> code_binaries(const Kernel& kernel) const override;
  Timing write(Buffer& buffer, std::uint64_t offset, std::span<const std::byte> bytes, HostMemory memory) override;
  Timing read(const Buffer& buffer, std::uint64_t offset, std::span<std::byte> bytes, HostMemory memory) override;
  Timing run(const Dispatch& dispatch) override;

 private:
  Submitter& submitter();
  StagingBuffer& staging(std::uint64_t bytes);
  template <typename Resource, typename Base>
  Resource& mine(Base& resource) const;
  template <typename HostCopy>
  Timing transfer(const VulkanBuffer& buffer, std::uint64_t offset, std::uint64_t bytes, HostMemory memory, bool to_device,
                  const HostCopy& host_copy);

  std::shared_ptr<const LogicalDevice> device_;
  std::mutex writing_constants_;            ///< held by create(): several threads may compile
  SpareList<VulkanBuffer> kept_;            ///< of kLargeBuffer or more, or kSmallBuffer or less
  std::unique_ptr<Submitter> submitter_;    ///< made when first needed: a null device crashes on it
  std::unique_ptr<StagingBuffer> staging_;  ///< grows with the largest transfer up to kStagingBytes
};

}  // namespace percycle::vulkan
