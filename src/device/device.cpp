#include "device/device.hpp"

namespace percycle {

Timing Device::launch(const Dispatch& /*dispatch*/, const Launches& /*launches*/) {
  throw DeviceError(info().api, DeviceError::Kind::unsupported, "Device::launch", "(not called)",
                    "the device takes one launch in a submission");
}

QueuedTiming Device::launch_queued(const Dispatch&, const QueuedLaunches&) {
  throw DeviceError(info().api, DeviceError::Kind::unsupported, "Device::launch_queued", "(not called)",
                    "the device has no choice of queues");
}

Timing Device::exchange(Buffer&, std::span<const std::byte>, const Buffer&, std::span<std::byte>) {
  throw DeviceError(info().api, DeviceError::Kind::unsupported, "Device::exchange", "(not called)",
                    "the device copies one way at a time");
}

std::shared_ptr<PeerLink> Device::link(const PeerDevice&, std::uint64_t) {
  throw DeviceError(info().api, DeviceError::Kind::unsupported, "Device::link", "(not called)",
                    "the device copies to no other device");
}

}  // namespace percycle
