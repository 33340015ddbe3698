#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "device/device.hpp"

namespace percycle {

/// Another device with its own description; everything else is passed on.
class DescribedDevice : public Device {
 public:
  DescribedDevice(Device& device, DeviceInfo info) : device_(device), info_(std::move(info)) {}

  const DeviceInfo& info() const override { return info_; }
  std::shared_ptr<Buffer> create(const BufferDesc& desc) override { return device_.create(desc); }
  std::shared_ptr<Image> create(const ImageDesc& desc) override { return device_.create(desc); }
  std::shared_ptr<Kernel> create(const KernelDesc& desc) override { return device_.create(desc); }
  std::optional<std::uint64_t> address(const Buffer& buffer) const override { return device_.address(buffer); }
  std::optional<CodeInfo> code(const Kernel& kernel) const override { return device_.code(kernel); }
  Timing write(Buffer& buffer, std::uint64_t offset, std::span<const std::byte> bytes, HostMemory memory) override {
    return device_.write(buffer, offset, bytes, memory);
  }
  Timing read(const Buffer& buffer, std::uint64_t offset, std::span<std::byte> bytes, HostMemory memory) override {
    return device_.read(buffer, offset, bytes, memory);
  }
  Timing run(const Dispatch& dispatch) override { return device_.run(dispatch); }
  Timing launch(const Dispatch& dispatch, const Launches& launches) override { return device_.launch(dispatch, launches); }
  std::shared_ptr<PeerLink> link(const PeerDevice& peer, std::uint64_t bytes) override { return device_.link(peer, bytes); }
  std::optional<ClockMoment> moment() override { return device_.moment(); }

 protected:
  Device& device_;

 private:
  DeviceInfo info_;
};

}  // namespace percycle
