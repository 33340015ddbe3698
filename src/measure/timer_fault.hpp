#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/sample.hpp"

namespace percycle {

/// Dispatches of one kernel with two loop counts, in turn.
struct TimerRound {
  std::uint64_t few_loops = 0;
  std::uint64_t many_loops = 0;
  std::span<const Timing> few;
  std::span<const Timing> many;
};

/// Device time of a round against the host's. The launch cancels, because both loop counts have it.
struct TimerSlope {
  double rate = 1;             ///< nanoseconds of the device timer per nanosecond of the host
  double at_zero_ns = 0;       ///< device time of no loops, by the line through both counts
  double host_at_zero_ns = 0;  ///< the same by the host: the launch
  double few_ns = 0;           ///< device time of the few loops on that line, less at_zero_ns
  double host_ns = 0;          ///< host time of the many loops less that of the few, or 0
  double spread_ns = 0;        ///< most host time between the two quickest of a loop count
};

/// The slope of the least disturbed dispatches. Every timing must have a device time.
TimerSlope timer_slope(const TimerRound& round);

/// The fault that two rounds show alike: the device timer is too fast or too slow, or its end is
/// early. Empty if they show none. On a busy host two rounds can agree by chance.
std::string slope_fault(const TimerSlope& first, const TimerSlope& second);

/// Whether other programs disturbed the round so little that its rate says something: the host's
/// two quickest dispatches differ by less than an eighth of the time that the slope rests on.
bool is_proof(const TimerSlope& slope);

/// Whether one round lets the timer pass.
bool is_sound(const TimerSlope& slope);

/// Why the device times show steps that are far coarser than `period_ns`, the one that the driver
/// states. Empty if they do not.
std::string step_fault(std::span<const Timing> timings, double period_ns);

}  // namespace percycle
