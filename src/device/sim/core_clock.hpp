#pragma once

#include "device/sim/model.hpp"

namespace percycle::sim {

/// The core clock of ClockBehaviour as it runs: cycles into time.
class CoreClock {
 public:
  explicit CoreClock(const ClockBehaviour& behaviour) : behaviour_(behaviour) {}

  /// The clock now, in MHz.
  double mhz() const;
  /// How long the next `cycles` cycles take, in ns.
  double ns_for(double cycles) const;
  /// Lets the device be busy that long: only kernels count, not their launches.
  void advance(double busy_ns) { busy_ns_ += busy_ns; }

 private:
  /// A stretch of time in which the clock changes linearly, from `at_ns` on.
  struct Stretch {
    double end_ns;
    double begin_ghz;
    double end_ghz;
  };
  Stretch stretch(double at_ns) const;
  double ramp_ghz(double at_ns) const;

  ClockBehaviour behaviour_;
  double busy_ns_ = 0;
};

}  // namespace percycle::sim
