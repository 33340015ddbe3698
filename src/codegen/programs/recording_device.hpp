#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "device/device.hpp"

namespace percycle {

class RecordedKernel final : public Kernel {
 public:
  explicit RecordedKernel(KernelDesc description) : desc(std::move(description)) {}
  KernelDesc desc;
};

/// A Device that only keeps the kernels to compile: its memory reads as zeros and its dispatches
/// end at once. Parameters that do not fit their kernel throw std::invalid_argument.
class RecordingDevice final : public Device {
 public:
  explicit RecordingDevice(DeviceInfo info) : info_(std::move(info)) {}

  const DeviceInfo& info() const override { return info_; }
  std::shared_ptr<Buffer> create(const BufferDesc& desc) override;
  std::shared_ptr<Image> create(const ImageDesc& desc) override;
  std::shared_ptr<Kernel> create(const KernelDesc& desc) override;
  std::optional<std::uint64_t> address(const Buffer& buffer) const override;
  std::optional<CodeInfo> code(const Kernel& kernel) const override;
  Timing write(Buffer& buffer, std::uint64_t offset, std::span<const std::byte> bytes, HostMemory memory) override;
  Timing read(const Buffer& buffer, std::uint64_t offset, std::span<std::byte> bytes, HostMemory memory) override;
  Timing run(const Dispatch& dispatch) override;
  Timing launch(const Dispatch& dispatch, const Launches&) override { return run(dispatch); }
  QueuedTiming launch_queued(const Dispatch& dispatch, const QueuedLaunches&) override { return {run(dispatch), {}}; }
  std::shared_ptr<PeerLink> link(const PeerDevice& peer, std::uint64_t bytes) override;

  /// Every kernel so far, in order of compilation.
  const std::vector<std::shared_ptr<const RecordedKernel>>& kernels() const { return kernels_; }

 private:
  DeviceInfo info_;
  std::mutex adding_;
  std::vector<std::shared_ptr<const RecordedKernel>> kernels_;
};

}  // namespace percycle
