#include "device/device.hpp"

namespace percycle {

Timing Device::launch(const Dispatch& /*dispatch*/, const Launches& /*launches*/) {
  throw DeviceError(info().api, DeviceError::Kind::unsupported, "Device::launch", "(not called)",
                    "several launches in one submission");
}

}  // namespace percycle
