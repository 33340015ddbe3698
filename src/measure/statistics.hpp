#pragma once

#include "core/measurement.hpp"
#include "device/info.hpp"

namespace percycle {

/// Whether a dispatch's device time can be right: there is one, it moved, and it is not longer than what the host saw.
bool device_timer_sane(const Timing& timing);

/// The device's time where it can be right, else the host's.
double trusted_ns(const Timing& timing);

/// Fills in everything of a Measurement that follows from its samples, control samples and idle_ns: time_source, statistics, clock_mhz,
/// counter_mhz and the warnings about timers that contradict each other. Pure. Throws std::invalid_argument when there are no samples.
///
/// ns per operation is taken, in this order of trust, from the in-kernel device-wide clock, from the device timer less idle_ns, from the
/// host timer less idle_ns. Cycles come from the unit's counter where it counts cycles, else from the reported clock, whose provenance the
/// record then shows; else they are absent. Of a CPU device there are fastest_ns_per_op and fastest_cycles_per_op, too: of the fastest tenth
/// of the samples, one at least.
void derive_statistics(Measurement& measurement, const DeviceInfo& device);

}  // namespace percycle
