#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/measurement.hpp"
#include "device/device.hpp"
#include "device/telemetry_recorder.hpp"
#include "experiments/experiment.hpp"
#include "experiments/trial.hpp"
#include "measure/alu_chain.hpp"
#include "measure/protocol.hpp"
#include "measure/stopping_rule.hpp"

namespace percycle {

/// The kernel that was timed.
struct TimedKernel {
  std::shared_ptr<Kernel> kernel;
  std::optional<std::vector<TurnAccess>> turn;  ///< LoopedDispatch::turn
  bool has_loop = true;                         ///< whether the turn is one of a loop; else all of the kernel
};

/// What became of one point.
struct Measured {
  PointResult result;
  bool device_lost = false;          ///< the Device is dead: open it again
  std::optional<TimedKernel> timed;  ///< of a point that was sampled; copies by the API have none
  bool interrupted = false;          ///< stopped by the user between two dispatches; `result` means nothing
};

/// Measures points on one open device. The only place that catches DeviceError.
class Measurer {
 public:
  /// `stop` is looked at between dispatches; `telemetry`, if any, runs beside the samples of each point that is no search's. All must outlive the measurer.
  /// `alu_latency_cycles` is what one operation of the dependent-ALU chain takes there; without it the chain never runs.
  Measurer(Device& device, const std::atomic<bool>& stop, const Telemetry* telemetry = nullptr,
           std::optional<double> alu_latency_cycles = std::nullopt)
      : device_(device), stop_(stop), telemetry_(telemetry), alu_latency_cycles_(alu_latency_cycles) {}

  /// Prepares, warms up, calibrates, samples and verifies one point. Throws only what is no fault of the device.
  Measured measure(const Experiment& experiment, const Point& point, const Protocol& protocol, std::uint64_t seed);

 private:
  /// Whether the device had nothing to do for long enough before this point's first timed run to have clocked down.
  bool has_rested() const;
  /// Whether nothing better than the dependent-ALU chain tells the clock of these samples, so that it has to. It runs on simulated devices
  /// whatever else there is: their clock is known, and the chain can be held against it.
  bool needs_alu_chain(Measurement measurement) const;
  /// Adds one run to the measurement. When the chain fails it says so and never runs again; throws DeviceError only when the device is lost.
  void run_alu_chain(Measurement& measurement);

  Device& device_;
  const std::atomic<bool>& stop_;
  const Telemetry* telemetry_;
  std::optional<double> alu_latency_cycles_;
  std::optional<AluChain> alu_chain_;
  bool settled_ = false;
  std::optional<std::chrono::steady_clock::time_point> resting_since_;  ///< the end of the point before
  TypicalScatter scatter_;
  std::vector<double> counter_rates_;  ///< of the units' counter at each point that has one, in ticks per nanosecond
  double fastest_ = 0;                 ///< highest rate of the units' counter so far, in ticks per nanosecond; 0: not known
};

}  // namespace percycle
