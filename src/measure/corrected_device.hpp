#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "device/forwarding_device.hpp"

namespace percycle {

/// A device without its driver's wrong statements: with another number of units, a limit of loops
/// or of a buffer, another subgroup size, or without its timer.
class CorrectedDevice final : public ForwardingDevice {
 public:
  /// `units` replaces the driver's count.
  explicit CorrectedDevice(std::unique_ptr<Device> device, const std::optional<Sourced<std::uint32_t>>& units = std::nullopt)
      : ForwardingDevice(std::move(device)), info_(ForwardingDevice::info()) {
    if (units) info_.units = units;
  }

  const DeviceInfo& info() const override { return info_; }

  void set_units(Sourced<std::uint32_t> units) { info_.units = units; }
  void limit_allocation(std::uint64_t bytes) { info_.max_allocation_bytes = bytes; }
  void limit_loops(std::uint64_t iterations) { info_.max_loop_iterations = iterations; }
  /// Kernels have this size; none can be required.
  void set_subgroup_size(std::uint32_t lanes) {
    info_.subgroup_sizes = {lanes};
    info_.subgroup_size_control = false;
  }
  /// No call returns a time of the device from now on.
  void drop_timer() { has_timer_ = false; }

  Timing write(Buffer& buffer, std::uint64_t offset, std::span<const std::byte> bytes, HostMemory memory) override {
    return corrected(ForwardingDevice::write(buffer, offset, bytes, memory));
  }
  Timing read(const Buffer& buffer, std::uint64_t offset, std::span<std::byte> bytes, HostMemory memory) override {
    return corrected(ForwardingDevice::read(buffer, offset, bytes, memory));
  }
  Timing exchange(Buffer& to, std::span<const std::byte> in, const Buffer& from, std::span<std::byte> out) override {
    return corrected(ForwardingDevice::exchange(to, in, from, out));
  }
  Timing run(const Dispatch& dispatch) override { return corrected(ForwardingDevice::run(dispatch)); }
  Timing launch(const Dispatch& dispatch, const Launches& launches) override {
    return corrected(ForwardingDevice::launch(dispatch, launches));
  }
  QueuedTiming launch_queued(const Dispatch& dispatch, const QueuedLaunches& launches) override {
    QueuedTiming timing = ForwardingDevice::launch_queued(dispatch, launches);
    timing.all = corrected(timing.all);
    if (!has_timer_) timing.each_ns.clear();
    return timing;
  }

 private:
  Timing corrected(Timing timing) const {
    if (!has_timer_) timing.device_ns.reset();
    return timing;
  }

  DeviceInfo info_;
  bool has_timer_ = true;
};

}  // namespace percycle
