#pragma once

#include <optional>
#include <vector>

#include "core/measurement.hpp"
#include "device/info.hpp"

namespace percycle {

/// What is known of the core clock during one point's samples.
struct CoreClock {
  std::vector<Sourced<double>> known_mhz;  ///< most trusted first
  std::optional<double> counter_mhz;       ///< rate of the unit's counter where it is a fixed rate and so not a clock
  bool counted = false;                    ///< the unit's counter counts cycles

  /// The clock that is trusted most; empty where none is known.
  std::optional<Sourced<double>> best() const;
};

/// The core clock of one device, from the samples and points so far. The only place that decides which clock a point is told by.
class DeviceClock {
 public:
  /// `device` must outlive this.
  explicit DeviceClock(const DeviceInfo& device) : device_(&device) {}

  const DeviceInfo& device() const { return *device_; }

  /// Rate of the unit's counter in one sample by the device-wide clock, in ticks per nanosecond; 0 where the sample lacks one of the two.
  static double counter_rate(const Sample& sample);

  /// Notes a sample: a counter of cycles may have run faster than ever.
  void observe(const Sample& sample);
  /// Notes a finished point: the rate of its counter helps to tell what the counter counts at later points.
  void observe(const Measurement& finished);

  /// Highest rate of a counter of cycles so far, in ticks per nanosecond; 0 while there is none.
  double fastest() const { return fastest_; }
  /// Of each finished point that has a counter, in ticks per nanosecond.
  const std::vector<double>& counter_rates() const { return counter_rates_; }

  /// The clock during a point's samples. Reads samples, idle_ns, telemetry and alu_chain. In order of trust: the unit's counter where
  /// it counts cycles, the median of the telemetry that is fresh(), the dependent-ALU chain, the reported clock. What the counter counts is decided by the median
  /// of all points' rates, so that single points do not disagree where the rate is near a limit.
  CoreClock during(const Measurement& point) const;

  /// Whether no clock that is trusted more than the dependent-ALU chain's tells the clock of these samples.
  bool needs_chain(const Measurement& point) const;

 private:
  const DeviceInfo* device_;
  std::vector<double> counter_rates_;
  double fastest_ = 0;
};

}  // namespace percycle
