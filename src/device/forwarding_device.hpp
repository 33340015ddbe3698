#pragma once

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "device/device.hpp"

namespace percycle {

/// A device that passes every call to another one: the base of those that change a few.
class ForwardingDevice : public Device {
 public:
  const DeviceInfo& info() const override { return device_->info(); }
  std::shared_ptr<Buffer> create(const BufferDesc& desc) override { return device_->create(desc); }
  std::shared_ptr<Image> create(const ImageDesc& desc) override { return device_->create(desc); }
  std::shared_ptr<Kernel> create(const KernelDesc& desc) override { return device_->create(desc); }
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
  QueuedTiming launch_queued(const Dispatch& dispatch, const QueuedLaunches& launches) override {
    return device_->launch_queued(dispatch, launches);
  }
  std::shared_ptr<PeerLink> link(const PeerDevice& peer, std::uint64_t bytes) override { return device_->link(peer, bytes); }
  std::optional<ClockMoment> moment() override { return device_->moment(); }

 protected:
  explicit ForwardingDevice(std::unique_ptr<Device> device) : device_(std::move(device)) {}

 private:
  std::unique_ptr<Device> device_;
};

}  // namespace percycle
