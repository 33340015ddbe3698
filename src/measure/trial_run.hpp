#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "core/outcome.hpp"
#include "core/sample.hpp"
#include "device/device.hpp"
#include "experiments/trial.hpp"

namespace percycle {

/// Thrown between two dispatches when the user stops the run.
struct Interruption {};

/// Thrown for a wrong result, and for a property that a bounded number of attempts did not find.
struct BadOutcome {
  Outcome outcome;
};

/// Runs the dispatches of one trial. Each may throw Interruption, BadOutcome or DeviceError. All
/// constructor arguments must outlive it.
class TrialRun {
 public:
  TrialRun(Device& device, const std::atomic<bool>& stop, Trial& trial) : device_(device), stop_(stop), trial_(trial) {}

  void set_up();
  /// The time of one loop of the timed dispatch, reckoned from a part of its work-groups. Only if
  /// LoopedDispatch::tries_part_first.
  double loop_ns_by_part();
  /// One verified run of the timed dispatch or of its control.
  Sample timed(std::uint64_t loops);
  /// A run of the timed dispatch without a check, for trials that allow it.
  Timing again(std::uint64_t loops);
  Sample control(std::uint64_t loops) { return sample(*trial_.control, trial_.control_clocks, loops); }
  /// A load ends after this multiple of its planned time on the host, in case the device timer
  /// stands still.
  static constexpr double kMostHostTime = 10;

  /// Whether runs without a check may precede a checked one.
  bool can_repeat() const { return trial_.repeatable || trial_.accumulates; }
  /// Repeats the timed dispatch for that long without waits for checks. Returns the time it took.
  double repeat(std::uint64_t loops, double ns);
  /// Leaves the device alone for that long; a simulated one has no use for it.
  void rest(double ns) const;
  /// The numbers that the last timed run noted of its operations.
  std::vector<double> series(const SeriesReading& where);

  /// Runs in which the device's timer stood still or jumped back.
  std::uint64_t timer_jumps() const { return timer_jumps_; }
  /// The largest error between the host's clock and the device's; empty if they were not compared.
  std::optional<double> clock_error_ns() const { return clock_error_ns_; }
  /// The host's time for the whole round trips of the last timed run, of which one part counted.
  double trips_ns() const { return trips_ns_; }

 private:
  void run(const Dispatch& dispatch);
  Sample sample(LoopedDispatch& looped, const std::optional<ClockReadings>& clocks, std::uint64_t loops);
  Timing dispatch(LoopedDispatch& looped, std::uint64_t loops);
  /// Launches that wait for each other, or a pair after one launch alone, whose times it keeps.
  Timing queued(const LoopedDispatch& looped, std::uint64_t loops);
  Timing round_trips(const LoopedDispatch& looped, std::uint64_t trips);
  double part_ns(const TripPart& part, const Timing& trip);
  Timing transfers(const Transfer& transfer, std::uint64_t loops);
  InKernelClock read_clocks(const ClockReadings& where);
  GroupClocks read_stamps(const GroupStamps& where);

  Device& device_;
  const std::atomic<bool>& stop_;
  Trial& trial_;
  std::uint64_t timer_jumps_ = 0;
  std::optional<double> clock_error_ns_;
  double trips_ns_ = 0;
  std::optional<PairTimes> pair_;  ///< of the last dispatch
  std::uint64_t unchecked_loops_ = 0;
};

}  // namespace percycle
