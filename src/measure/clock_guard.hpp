#pragma once

#include "measure/clock.hpp"

namespace percycle {

/// Tells samples of a point that were taken while the clock was asleep. While the host checks a dispatch the device is idle, and NVIDIA's Vulkan driver
/// then clocks an H200 down, to a sixth at times. Such a sample is taken again after a while of load, as long as that helps: a clock that a load
/// itself keeps down stays where it is.
class ClockGuard {
 public:
  /// `clock` must outlive this.
  explicit ClockGuard(const DeviceClock& clock) : clock_(clock) {}

  /// Whether the sample is to be taken again.
  bool was_asleep(const Sample& sample) {
    const double rate = DeviceClock::counter_rate(sample);
    const bool helped = rate > kHelps * slow_;
    if (!helped || rate >= kAsleep * clock_.fastest() || wakes_ >= kMostWakes) return false;
    slow_ = rate;
    ++wakes_;
    return true;
  }

  /// Samples that were to be taken again.
  int wakes() const { return wakes_; }

 private:
  static constexpr double kAsleep = 0.8;  // of the fastest rate so far
  static constexpr double kHelps = 1.02;  // times the rate of the sample that was taken again
  static constexpr int kMostWakes = 5;

  const DeviceClock& clock_;
  int wakes_ = 0;
  double slow_ = 0;  // rate of the last sample that was to be taken again
};

}  // namespace percycle
