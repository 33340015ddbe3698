#include "sim/core_clock.hpp"

#include <algorithm>
#include <cmath>

namespace percycle::sim {
namespace {

constexpr double kNsPerMs = 1e6;
constexpr double kGhzPerMhz = 1e-3;
// The approach to the throttled clock, in straight stretches: wrong by 3e-5 of the change.
constexpr double kStepsPerConstant = 64;
constexpr double kMostConstants = 30;  // then it is there

}  // namespace

double ModelClock::mhz() const { return stretch(busy_ns_).begin_ghz / kGhzPerMhz; }

double ModelClock::ns_for(double cycles) const {
  double at = busy_ns_;
  for (;;) {
    const ClockStretch now = stretch(at);
    const double length = now.end_ns - at;
    if (std::isinf(length)) return at - busy_ns_ + cycles / now.begin_ghz;
    const double cycles_of_it = (now.begin_ghz + now.end_ghz) / 2 * length;
    if (cycles <= cycles_of_it) {
      // Solves begin t + slope t^2 / 2 = cycles in the form that stays exact if slope is 0.
      const double slope = (now.end_ghz - now.begin_ghz) / length;
      return at - busy_ns_ + 2 * cycles / (now.begin_ghz + std::sqrt(now.begin_ghz * now.begin_ghz + 2 * slope * cycles));
    }
    cycles -= cycles_of_it;
    at = now.end_ns;
  }
}

ModelClock::ClockStretch ModelClock::stretch(double at_ns) const {
  const double throttles = behaviour_.throttled_mhz > 0 ? behaviour_.throttle_after_ms * kNsPerMs : INFINITY;
  if (at_ns >= throttles) {
    const double step_ns = behaviour_.throttle_constant_ms * kNsPerMs / kStepsPerConstant;
    const double end_ns = at_ns < throttles + kMostConstants * kStepsPerConstant * step_ns ? at_ns + step_ns : INFINITY;
    return {end_ns, throttled_ghz(at_ns - throttles), throttled_ghz(end_ns - throttles)};
  }
  const double settled = behaviour_.idle_mhz > 0 ? behaviour_.ramp_ms * kNsPerMs : 0;
  const double end = at_ns < settled ? std::min(settled, throttles) : throttles;
  return {end, ramp_ghz(at_ns), ramp_ghz(end)};
}

double ModelClock::throttled_ghz(double since_ns) const {
  const double constant_ns = behaviour_.throttle_constant_ms * kNsPerMs;
  const double share = constant_ns > 0 ? std::exp(-since_ns / constant_ns) : 0;
  return (behaviour_.throttled_mhz + (behaviour_.mhz - behaviour_.throttled_mhz) * share) * kGhzPerMhz;
}

double ModelClock::ramp_ghz(double at_ns) const {
  const double settled = behaviour_.idle_mhz > 0 ? behaviour_.ramp_ms * kNsPerMs : 0;
  if (at_ns >= settled) return behaviour_.mhz * kGhzPerMhz;
  return (behaviour_.idle_mhz + (behaviour_.mhz - behaviour_.idle_mhz) * at_ns / settled) * kGhzPerMhz;
}

}  // namespace percycle::sim
