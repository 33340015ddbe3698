#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/measurement.hpp"
#include "device/device.hpp"
#include "measure/corrected_device.hpp"
#include "measure/timer_fault.hpp"

namespace percycle {

/// Checks of one device by its own kernels: the timer against the host's, and the turns of a loop.
/// Corrects the device where its driver is wrong.
class TimerCheck {
 public:
  /// `device` takes the dispatches; `corrected` is the same device or one below it. Both must
  /// outlive this.
  TimerCheck(Device& device, CorrectedDevice& corrected) : device_(device), corrected_(corrected) {}

  /// Checks loops and timer; the second call does nothing. A fault of the check itself (no
  /// compiler, no memory) leaves the device as it is. Throws DeviceError if the device is lost.
  void start();

  /// The work that a sample times. The host spends more time around a copy or a chain of launches
  /// than around a kernel.
  enum class TimedWork { kernel, other };

  /// Whether host and device disagree on the time of these samples, or the device's times show
  /// steps, and a new check finds the timer wrong since. The samples' device times are then wrong,
  /// too.
  bool finds_wrong(std::span<const Sample> samples, std::span<const Timing> idle, TimedWork work);

  /// The warning about the timer; empty as long as it is used.
  const std::string& fault() const { return fault_; }

  /// Why nothing is known of the timer, as if other programs disturb every comparison with the
  /// host's clock. Empty if the latest check compared them, or there is no timer.
  std::string doubt() const;

 private:
  static constexpr double kSoundRatio = 1.05;  // of host and device

  std::optional<Timing> timed(std::uint64_t loops);
  std::optional<double> quickest_ns(std::uint64_t loops, double enough_ns);
  void prepare();
  void find_loop_limit();
  void check_timer();
  void compare();
  void give_up();
  std::optional<TimerSlope> slope(std::uint64_t few, std::uint64_t many);
  std::uint64_t loops_of(double ns, std::uint64_t most);
  void distrust(std::string fault);

  Device& device_;
  CorrectedDevice& corrected_;
  std::shared_ptr<Kernel> kernel_;
  std::shared_ptr<Buffer> ends_;
  std::vector<Timing> timings_;  // of the check under way
  int gaps_ = 0;                 // its long dispatches without a time of the device
  bool started_ = false;
  bool compared_ = true;  // by the latest check
  double spent_ns_ = 0;   // of the host, in the dispatches of the latest check
  double vain_ns_ = 0;    // the same of all checks since the last one that compared the timer
  std::string fault_;
  std::array<double, 2> allowed_{kSoundRatio, kSoundRatio};  // by TimedWork: asks for no new check
  std::chrono::steady_clock::time_point checked_at_;
};

}  // namespace percycle
