#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/sample.hpp"

namespace percycle {

/// Whether a dispatch's device time can be right: there is one, it moved, and it is not longer than what the host saw.
bool device_timer_sane(const Timing& timing);

/// The device's time where it can be right, else the host's.
double trusted_ns(const Timing& timing);

/// Which timer tells how long a point's samples took, and which timers contradict each other.
struct TimeSource {
  std::string name;  ///< see Measurement::time_source
  std::vector<std::string> warnings;
};

/// In this order of trust, as long as all samples have it and it can be right in all: the in-kernel device-wide clock, the device timer, the host timer.
/// Pure.
TimeSource choose_time_source(std::span<const Sample> samples);

}  // namespace percycle
