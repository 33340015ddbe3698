#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>

#include "core/measurement.hpp"
#include "device/device.hpp"
#include "device/telemetry_recorder.hpp"
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
  /// `stop` is looked at between dispatches; `telemetry`, if any, runs beside the samples of each point that is no search's. All must outlive the measurer.
  Measurer(Device& device, const std::atomic<bool>& stop, const Telemetry* telemetry = nullptr)
      : device_(device), stop_(stop), telemetry_(telemetry) {}

  /// Prepares, warms up, calibrates, samples and verifies one point. Throws only what is no fault of the device.
  Measured measure(const Experiment& experiment, const Point& point, const Protocol& protocol, std::uint64_t seed);

 private:
  /// Whether the device had nothing to do for long enough before this point's first timed run to have clocked down.
  bool has_rested() const;

  Device& device_;
  const std::atomic<bool>& stop_;
  const Telemetry* telemetry_;
  bool settled_ = false;
  std::optional<std::chrono::steady_clock::time_point> resting_since_;  ///< the end of the point before
  double fastest_ = 0;  ///< highest rate of the units' counter so far, in ticks per nanosecond; 0: not known
};

}  // namespace percycle
