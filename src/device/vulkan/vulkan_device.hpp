#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <optional>

#include "device/device.hpp"
#include "device/spare_list.hpp"
#include "device/vulkan/logical_device.hpp"
#include "device/vulkan/memory.hpp"
#include "device/vulkan/queue_pair.hpp"
#include "device/vulkan/submitter.hpp"

namespace percycle::vulkan {

/// The Device interface over one VkDevice. Transfers use a page-locked staging buffer. With
/// HostMemory::pinned it holds the bytes before the timing of a write starts and after the timing
/// of a read ends, so host_ns covers the device's copy only. HostMemory::pageable also times the
/// host's copy into or out of it, which an application with ordinary memory needs.
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
  Timing exchange(Buffer& to, std::span<const std::byte> in, const Buffer& from, std::span<std::byte> out) override;
  Timing run(const Dispatch& dispatch) override;
  Timing launch(const Dispatch& dispatch, const Launches& launches) override;
  QueuedTiming launch_queued(const Dispatch& dispatch, const QueuedLaunches& launches) override;
  std::optional<ClockMoment> moment() override;

 private:
  /// The second queue of the launches, if they have one.
  DeviceQueue second_queue(LaunchQueues queues) const;
  Submitter& submitter();
  /// Runs both copies at the same time if the device has queues for it.
  Timing copy_both_ways(const std::array<QueuePair::Work, 2>& copies);
  StagingBuffer& staging(std::unique_ptr<StagingBuffer>& memory, std::uint64_t bytes);
  template <typename Resource, typename Base>
  Resource& typed(Base& resource) const;
  template <typename HostCopy>
  Timing transfer(const VulkanBuffer& buffer, std::uint64_t offset, std::uint64_t bytes, HostMemory memory, bool to_device,
                  const HostCopy& host_copy);

  std::shared_ptr<const LogicalDevice> device_;
  std::mutex writing_constants_;  ///< held by create(): several threads may compile
  /// Keeps buffers of kLargeBuffer or more and of kSmallBuffer or less.
  SpareList<VulkanBuffer> kept_;
  std::unique_ptr<Submitter> submitter_;     ///< made at first use: a null device crashes on it
  std::unique_ptr<QueuePair> copies_;        ///< likewise, if there are queues for it
  std::unique_ptr<StagingBuffer> staging_;   ///< grows to the largest transfer or kStagingBytes
  std::unique_ptr<StagingBuffer> received_;  ///< likewise
};

}  // namespace percycle::vulkan
