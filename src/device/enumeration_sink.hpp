#pragma once

#include <functional>

#include "device/info.hpp"

namespace percycle {

/// Told of each device and problem as soon as it is known, so that a driver which hangs or crashes later costs nothing found before.
struct EnumerationSink {
  std::function<void(DeviceInfo)> device;
  std::function<void(EnumerationProblem)> problem;
};

}  // namespace percycle
