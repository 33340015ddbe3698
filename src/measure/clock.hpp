#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/measurement.hpp"
#include "device/info.hpp"

namespace percycle {

/// The core clock during one point's samples.
struct CoreClock {
  std::vector<Sourced<double>> known_mhz;  ///< most trusted first
  /// Rate of the unit's counter if it is fixed and so not the core clock.
  std::optional<double> counter_mhz;
  bool counted = false;  ///< the unit's counter counts cycles
  /// Clocks that percycle left out, or that contradict each other.
  std::vector<std::string> warnings;

  /// The most trusted clock; empty if none is known.
  std::optional<Sourced<double>> best() const;
};

/// The core clock of one device, from the samples and points so far. Only this class chooses the
/// clock of a point.
class DeviceClock {
 public:
  /// `device` must outlive this.
  explicit DeviceClock(const DeviceInfo& device) : device_(&device) {}

  const DeviceInfo& device() const { return *device_; }

  /// Rate of the unit's counter in one sample by the device-wide clock, in ticks per nanosecond; 0
  /// if the sample lacks one of them.
  static double counter_rate(const Sample& sample);

  /// Takes a sample: a cycle counter may have run faster than before.
  void observe(const Sample& sample);
  /// Takes a finished point: the rate of its counter helps to classify the counter at later points.
  void observe(const Measurement& finished);

  /// Highest rate of a cycle counter so far, in ticks per nanosecond; 0 if there is none.
  double fastest() const { return fastest_; }
  /// Rates of the finished points with a counter, in ticks per nanosecond.
  const std::vector<double>& counter_rates() const { return counter_rates_; }

  /// The clock during a point's samples, from samples, idle_ns, telemetry and alu_chain. In order
  /// of trust: cycle counter of the unit, median of fresh() telemetry, dependent-ALU chain,
  /// reported clock. The median rate of all points classifies the counter. A clock that no core has
  /// is left out. So is a measured clock that differs by more than half from all others if they
  /// agree among themselves; a clock below the reported one, which is a maximum, agrees with it. A
  /// cycle counter stays if the kernel read no device-wide clock: it may count a part of the time.
  CoreClock during(const Measurement& point) const;

  /// Whether no source better than the dependent-ALU chain gives the clock of these samples.
  bool needs_chain(const Measurement& point) const;

 private:
  const DeviceInfo* device_;
  std::vector<double> counter_rates_;
  double fastest_ = 0;
};

}  // namespace percycle
