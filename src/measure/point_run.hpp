#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
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
#include "measure/timer_check.hpp"
#include "measure/trial_run.hpp"

namespace percycle {

/// An open device and the properties found by its points so far.
struct MeasuredDevice {
  Device& device;
  const std::atomic<bool>& stop;  ///< checked between dispatches
  const Telemetry* telemetry;     ///< may be null
  CodegenSource codegen;          ///< may be empty
  ChainClock chain;
  DeviceClock clock;
  TypicalScatter scatter;
  bool settled = false;
  /// end of the previous point
  std::optional<std::chrono::steady_clock::time_point> resting_since;
  TimerCheck* check;                  ///< may be null
  std::vector<std::string> warnings;  ///< for each point
};

/// One point during its measurement. Call each step once, in the order of declaration. A step may
/// throw Interruption, BadOutcome or DeviceError. All constructor arguments must outlive it.
class PointRun {
 public:
  PointRun(MeasuredDevice& device, const Experiment& experiment, const Point& point, const Protocol& protocol)
      : device_(device), experiment_(experiment), point_(point), protocol_(protocol), guard_(device.clock) {}

  /// Allocates, compiles and sets up.
  void prepare(std::uint64_t seed);
  /// Throws BadOutcome if one loop of the timed dispatch is too long for a watchdog.
  void refuse_long_loop();
  /// Times dispatches that do no work.
  void idle();
  /// Finds the loop count that makes a sample long enough.
  void calibrate();
  /// Loads a new or rested device until its clock has settled, and calibrates again. Before a
  /// sustained load the device rests instead.
  void warm_up();
  /// Takes the samples, with telemetry during them; repeats with more loops if a sample is no
  /// longer than an idle dispatch. Runs the dependent-ALU chain around them if no better source
  /// gives the clock.
  void sample();
  /// Whether the samples show that the device timer is wrong since its last check: the point must
  /// be measured again, by the host's timer.
  bool has_wrong_timer() const;
  /// Times idle dispatches again if their error would show in the result.
  void idle_again();
  /// Takes the samples of the control kernel, if there is one.
  void control();
  /// Returns the measurement.
  Measurement finish();

  /// The samples so far, without statistics, for an invalid point; empty if there are none.
  std::optional<Measurement> unfinished();

 private:
  const DeviceInfo& info() const { return device_.device.info(); }
  bool copies() const { return trial_.timed.transfer.has_value(); }
  bool uses_telemetry() const;
  /// Finds the loop count for this duration.
  void find_loops(double target_ns);
  /// Whether the device has been idle long enough since the previous point to clock down.
  bool has_rested() const;
  /// Whether the core clock is what it was in the fastest run so far, or need not be.
  bool is_at_full_speed();
  bool is_real_gpu() const { return info().type == DeviceType::gpu && info().api != Api::sim; }
  void load_until_settled();
  /// Runs the dependent-ALU chain if no better source gives the clock of these samples.
  void run_chain_for(const Measurement& samples);
  /// Takes samples until there are enough. Returns the time per operation of each.
  std::vector<double> take_samples();
  /// The same, with more loops while a sample is no longer than an idle dispatch.
  void take_long_samples();
  /// Takes one sample after the other until the time of the sustained load is over.
  void take_sustained();
  /// Loads the device until telemetry has refreshed its readings, if no better source gives the
  /// clock.
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
  bool rested_ = false;  ///< before this point's first dispatch
  double launch_ns_ = 0;
  double target_ns_ = 0;  ///< duration of a sample that calibration aims for
  std::uint64_t loops_ = 1;
  Sample calibrated_;        ///< the last run of the calibration
  Measurement measurement_;  ///< results of the steps so far; finish() adds derived values
};

}  // namespace percycle
