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

/// Thrown for a result that is not what it must be, or a property that a bounded attempt did not find.
struct BadOutcome {
  Outcome outcome;
};

/// Runs the dispatches of one trial. Each may throw Interruption, BadOutcome or DeviceError. All that it is made of must outlive it.
class TrialRun {
 public:
  TrialRun(Device& device, const std::atomic<bool>& stop, Trial& trial) : device_(device), stop_(stop), trial_(trial) {}

  void set_up();
  /// One verified run of the timed dispatch or of its control.
  Sample timed(std::uint64_t loops);
  Sample control(std::uint64_t loops) { return sample(*trial_.control, trial_.control_clocks, loops); }
  /// A load ends after this many times its planned time on the host, whatever a device timer that stands still says.
  static constexpr double kMostHostTime = 10;

  /// Repeats the timed dispatch for that long, the device never waiting for the host to check. Returns how long it took.
  double repeat(std::uint64_t loops, double ns);
  /// The numbers that the last timed run left for each of its operations.
  std::vector<double> series(const SeriesReading& where);

  /// Runs in which the device's timer stood still or jumped back.
  std::uint64_t timer_jumps() const { return timer_jumps_; }

 private:
  void run(const Dispatch& dispatch);
  Sample sample(LoopedDispatch& looped, const std::optional<ClockReadings>& clocks, std::uint64_t loops);
  Timing dispatch(LoopedDispatch& looped, std::uint64_t loops);
  Timing transfers(const Transfer& transfer, std::uint64_t loops);
  InKernelClock read_clocks(const ClockReadings& where);
  GroupClocks read_stamps(const GroupStamps& where);

  Device& device_;
  const std::atomic<bool>& stop_;
  Trial& trial_;
  std::uint64_t timer_jumps_ = 0;
};

}  // namespace percycle
