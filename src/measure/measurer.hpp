#pragma once

#include <atomic>
#include <cstdint>

#include "core/measurement.hpp"
#include "device/device.hpp"
#include "experiments/experiment.hpp"
#include "measure/protocol.hpp"

namespace percycle {

/// What became of one point.
struct Measured {
  PointResult result;
  bool device_lost = false;  ///< the Device is dead: open it again
  bool interrupted = false;  ///< stopped by the user between two dispatches; `result` means nothing
};

/// Measures points on one open device. The only place that catches DeviceError.
class Measurer {
 public:
  /// `stop` is looked at between dispatches. Both must outlive the measurer.
  Measurer(Device& device, const std::atomic<bool>& stop) : device_(device), stop_(stop) {}

  /// Prepares, warms up, calibrates, samples and verifies one point. Throws only what is no fault of the device.
  Measured measure(const Experiment& experiment, const Point& point, const Protocol& protocol, std::uint64_t seed);

 private:
  Device& device_;
  const std::atomic<bool>& stop_;
  bool settled_ = false;
};

}  // namespace percycle
