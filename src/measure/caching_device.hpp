#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "device/device.hpp"

namespace percycle {

/// All properties of a kernel that a driver sees, as one string.
std::string kernel_key(const KernelDesc& desc);

/// A device that compiles each kernel once: points of a sweep share kernels, and a compilation
/// costs more than a sample.
class CachingDevice final : public Device {
 public:
  /// `keep_code` makes all kernels with KernelDesc::keep_code; `units` replaces the driver's count.
  explicit CachingDevice(std::unique_ptr<Device> device, bool keep_code = false,
                         const std::optional<Sourced<std::uint32_t>>& units = std::nullopt)
      : device_(std::move(device)), info_(device_->info()), keep_code_(keep_code) {
    if (units) info_.units = units;
  }

  const DeviceInfo& info() const override { return info_; }
  std::shared_ptr<Buffer> create(const BufferDesc& desc) override { return device_->create(desc); }
  std::shared_ptr<Image> create(const ImageDesc& desc) override { return device_->create(desc); }
  std::shared_ptr<Kernel> create(const KernelDesc& desc) override;
  std::optional<std::uint64_t> address(const Buffer& buffer) const override { return device_->address(buffer); }
  std::optional<CodeInfo> code(const Kernel& kernel) const override { return device_->code(kernel); }
  std::vector<CodeText> code_texts(const Kernel& kernel) const override { return device_->code_texts(kernel); }
  std::vector<CodeBinary> code_binaries(const Kernel& kernel) const override { return device_->code_binaries(kernel); }
  Timing write(Buffer& buffer, std::uint64_t offset, std::span<const std::byte> bytes, HostMemory memory) override {
    return device_->write(buffer, offset, bytes, memory);
  }
  Timing read(const Buffer& buffer, std::uint64_t offset, std::span<std::byte> bytes, HostMemory memory) override {
    return device_->read(buffer, offset, bytes, memory);
  }
  Timing exchange(Buffer& to, std::span<const std::byte> in, const Buffer& from, std::span<std::byte> out) override {
    return device_->exchange(to, in, from, out);
  }
  Timing run(const Dispatch& dispatch) override { return device_->run(dispatch); }
  Timing launch(const Dispatch& dispatch, const Launches& launches) override { return device_->launch(dispatch, launches); }
  std::shared_ptr<PeerLink> link(const PeerDevice& peer, std::uint64_t bytes) override { return device_->link(peer, bytes); }
  std::optional<ClockMoment> moment() override { return device_->moment(); }

 private:
  std::unique_ptr<Device> device_;
  DeviceInfo info_;
  bool keep_code_;
  // Guards kernels_; not held while a driver compiles.
  std::mutex changing_;
  std::map<std::string, std::shared_ptr<Kernel>> kernels_;  // destroyed before the device
};

}  // namespace percycle
