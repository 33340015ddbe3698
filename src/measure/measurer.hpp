#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "core/measurement.hpp"
#include "device/device.hpp"
#include "device/telemetry_recorder.hpp"
#include "experiments/experiment.hpp"
#include "measure/point_run.hpp"
#include "measure/protocol.hpp"
#include "measure/timed_kernel.hpp"

namespace percycle {

/// The outcome of one point.
struct Measured {
  PointResult result;
  bool device_lost = false;  ///< the Device is dead: open it again
  bool interrupted = false;  ///< the user stopped it between two dispatches; `result` is invalid
};

/// Measures points on one open device. The only place that catches DeviceError.
class Measurer {
 public:
  /// Checks `stop` between dispatches. Runs `telemetry`, if any, during the samples of each point
  /// (search points excepted). `alu_latency_cycles` is for the dependent-ALU chain; without it the
  /// chain never runs. `codegen` reads machine code. All must outlive the measurer.
  Measurer(Device& device, const std::atomic<bool>& stop, const Telemetry* telemetry = nullptr,
           std::optional<double> alu_latency_cycles = std::nullopt, CodegenSource codegen = {})
      : device_{.device = device,
                .stop = stop,
                .telemetry = telemetry,
                .codegen = std::move(codegen),
                .chain = ChainClock(device, stop, alu_latency_cycles),
                .clock = DeviceClock(device.info()),
                .scatter = {},
                .settled = false,
                .resting_since = {},
                .check = nullptr,
                .warnings = {}} {}

  /// Checks the device before the first point, and its timer after each. `check` must outlive the
  /// measurer.
  void use(TimerCheck& check) { device_.check = &check; }

  /// Adds a warning to each point; an empty one adds nothing.
  void warn(std::string warning) {
    if (!warning.empty()) device_.warnings.push_back(std::move(warning));
  }

  /// Prepares, warms up, calibrates, samples and verifies one point. Throws only for causes outside
  /// the device.
  Measured measure(const Experiment& experiment, const Point& point, const Protocol& protocol, std::uint64_t seed);

 private:
  /// Measures the point once. Empty if its samples show that the timer is wrong since.
  std::optional<Measured> measure_once(const Experiment& experiment, const Point& point, const Protocol& protocol,
                                       std::uint64_t seed);

  MeasuredDevice device_;
};

}  // namespace percycle
