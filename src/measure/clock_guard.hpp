#pragma once

#include "measure/clock.hpp"

namespace percycle {

/// Detects samples taken at a lowered clock. While the host checks a dispatch, the device is idle,
/// and NVIDIA's Vulkan driver then clocks an H200 down, at times to a sixth. The sample is repeated
/// after some load while repeating helps: a clock that drops under load stays low.
class ClockGuard {
 public:
  /// `clock` must outlive this.
  explicit ClockGuard(const DeviceClock& clock) : clock_(clock) {}

  /// Whether the sample must be repeated.
  bool was_asleep(const Sample& sample) {
    const double rate = DeviceClock::counter_rate(sample);
    const bool helped = rate > kHelps * slow_;
    if (!helped || rate >= kAsleep * clock_.fastest() || wakes_ >= kMostWakes) return false;
    slow_ = rate;
    ++wakes_;
    return true;
  }

  /// Number of samples to be repeated.
  int wakes() const { return wakes_; }

 private:
  static constexpr double kAsleep = 0.8;  // share of the fastest rate so far
  static constexpr double kHelps = 1.02;  // times the rate of the repeated sample
  static constexpr int kMostWakes = 5;

  const DeviceClock& clock_;
  int wakes_ = 0;
  double slow_ = 0;  // rate of the last sample to be repeated
};

}  // namespace percycle
