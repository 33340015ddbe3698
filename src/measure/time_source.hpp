#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/sample.hpp"

namespace percycle {

/// Whether a dispatch's device time is plausible: present, above 0 and not above the host's.
bool device_timer_sane(const Timing& timing);

/// The device's time if it is plausible, else the host's.
double trusted_ns(const Timing& timing);

/// The timer of a point's samples, and the timers that contradict each other.
struct TimeSource {
  std::string name;  ///< see Measurement::time_source
  std::vector<std::string> warnings;
};

/// The first of these that is present and plausible in all samples: the in-kernel device-wide
/// clock, the device timer, the host timer. Pure.
TimeSource choose_time_source(std::span<const Sample> samples);

}  // namespace percycle
