#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <utility>

#include "core/measurement.hpp"
#include "device/device.hpp"
#include "device/telemetry_recorder.hpp"
#include "experiments/experiment.hpp"
#include "measure/point_run.hpp"
#include "measure/protocol.hpp"
#include "measure/timed_kernel.hpp"

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
  /// `alu_latency_cycles` is what one operation of the dependent-ALU chain takes there; without it the chain never runs. `codegen` is asked for the machine
  /// code of each kernel that was sampled.
  Measurer(Device& device, const std::atomic<bool>& stop, const Telemetry* telemetry = nullptr,
           std::optional<double> alu_latency_cycles = std::nullopt, CodegenSource codegen = {})
      : device_{.device = device,
                .stop = stop,
                .telemetry = telemetry,
                .codegen = std::move(codegen),
                .chain = ChainClock(device, alu_latency_cycles),
                .clock = DeviceClock(device.info()),
                .scatter = {},
                .settled = false,
                .resting_since = {}} {}

  /// Prepares, warms up, calibrates, samples and verifies one point. Throws only what is no fault of the device.
  Measured measure(const Experiment& experiment, const Point& point, const Protocol& protocol, std::uint64_t seed);

 private:
  MeasuredDevice device_;
};

}  // namespace percycle
