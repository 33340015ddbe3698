#pragma once

#include "sim/model.hpp"

namespace percycle::sim {

/// The core clock of ClockBehaviour over time: converts cycles to time.
class ModelClock {
 public:
  explicit ModelClock(const ClockBehaviour& behaviour) : behaviour_(behaviour) {}

  /// The clock now, in MHz.
  double mhz() const;
  /// Duration of the next `cycles` cycles, in ns.
  double ns_for(double cycles) const;
  double busy_ns() const { return busy_ns_; }
  /// Adds busy time. Only kernels count, not their launches.
  void advance(double busy_ns) { busy_ns_ += busy_ns; }

 private:
  /// A stretch of time from `at_ns` on in which the clock changes linearly.
  struct ClockStretch {
    double end_ns;
    double begin_ghz;
    double end_ghz;
  };
  ClockStretch stretch(double at_ns) const;
  double ramp_ghz(double at_ns) const;
  double throttled_ghz(double since_ns) const;

  ClockBehaviour behaviour_;
  double busy_ns_ = 0;
};

}  // namespace percycle::sim
