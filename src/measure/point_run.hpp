#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/measurement.hpp"
#include "device/device.hpp"
#include "device/telemetry_recorder.hpp"
#include "experiments/experiment.hpp"
#include "experiments/trial.hpp"
#include "measure/alu_chain.hpp"
#include "measure/calibration.hpp"
#include "measure/clock.hpp"
#include "measure/clock_guard.hpp"
#include "measure/protocol.hpp"
#include "measure/stopping_rule.hpp"
#include "measure/timed_kernel.hpp"
#include "measure/trial_run.hpp"

namespace percycle {

/// An open device, and what its points so far have shown of it.
struct MeasuredDevice {
  Device& device;
  const std::atomic<bool>& stop;  ///< looked at between dispatches
  const Telemetry* telemetry;     ///< may be null
  CodegenSource codegen;          ///< may be empty
  ChainClock chain;
  DeviceClock clock;
  TypicalScatter scatter;
  bool settled = false;
  std::optional<std::chrono::steady_clock::time_point> resting_since;  ///< the end of the point before
};

/// One point on its way through its measurement. The steps are called once each, in the order in which they are declared. Each may throw Interruption,
/// BadOutcome or DeviceError. All that it is made of must outlive it.
class PointRun {
 public:
  PointRun(MeasuredDevice& device, const Experiment& experiment, const Point& point, const Protocol& protocol)
      : device_(device), experiment_(experiment), point_(point), protocol_(protocol), guard_(device.clock) {}

  /// Allocates, compiles and sets up.
  void prepare(std::uint64_t seed);
  /// Times dispatches that do no work.
  void idle();
  /// Finds how many loops make a sample long enough.
  void calibrate();
  /// Loads a device that is new or has rested until its clock has settled, and calibrates again.
  void warm_up();
  /// Takes the samples, again with more loops where one is no longer than an idle dispatch, with telemetry beside them, and the dependent-ALU chain around them where nothing better tells the clock.
  void sample();
  /// Times idle dispatches again where their error would show in the result.
  void idle_again();
  /// Takes the samples of the control kernel, where there is one.
  void control();
  /// Makes the measurement of what the steps took.
  Measurement finish();

  /// The samples so far, without statistics, for a point that turns out to be invalid; empty when there are none.
  std::optional<Measurement> unfinished();

 private:
  const DeviceInfo& info() const { return device_.device.info(); }
  bool copies() const { return trial_.timed.transfer.has_value(); }
  bool uses_telemetry() const;
  /// Finds how many loops take that long.
  void find_loops(double target_ns);
  /// Whether the device was idle for so long before this point that it may have clocked down.
  bool has_rested() const;
  void load_until_settled();
  /// Adds a run of the dependent-ALU chain where nothing better tells the clock of these samples.
  void run_chain_for(const Measurement& samples);
  /// Takes samples until there are enough. Returns the time per operation of each.
  std::vector<double> take_samples();
  /// The same, with more loops as long as a sample is no longer than an idle dispatch.
  void take_long_samples();
  /// Goes on loading the device until telemetry has refreshed its readings, where nothing better tells the clock.
  void load_until_refreshed();
  void add_conditions(Conditions conditions);
  void add_codegen();

  MeasuredDevice& device_;
  const Experiment& experiment_;
  const Point& point_;
  const Protocol& protocol_;
  Trial trial_;
  std::optional<TrialRun> run_;
  ClockGuard guard_;
  std::vector<Timing> idle_;
  double launch_ns_ = 0;
  double target_ns_ = 0;  ///< how long calibration wants a sample to take
  std::uint64_t loops_ = 1;
  Sample calibrated_;        ///< the last run that calibration looked at
  Measurement measurement_;  ///< what the steps so far took; finish() adds what follows from it
};

}  // namespace percycle
