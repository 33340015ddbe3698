#pragma once

#include <functional>

#include "device/info.hpp"

namespace percycle {

/// Receives each device and problem at once, so that a driver that hangs or crashes later loses
/// nothing found before.
struct EnumerationSink {
  std::function<void(DeviceInfo)> device;
  std::function<void(EnumerationProblem)> problem;
};

}  // namespace percycle
