#pragma once

#include <optional>
#include <span>
#include <string>

#include "core/measurement.hpp"
#include "device/info.hpp"

namespace percycle {

/// Whether a dispatch's device time can be right: there is one, it moved, and it is not longer than what the host saw.
bool device_timer_sane(const Timing& timing);

/// The device's time where it can be right, else the host's.
double trusted_ns(const Timing& timing);

/// Fills in everything of a Measurement that follows from its samples, control samples, telemetry, ALU chain and idle_ns: time_source, statistics,
/// clock_mhz, clocks_mhz, counter_mhz and the warnings about timers that contradict each other. Pure. Throws std::invalid_argument when there are no samples.
///
/// ns per operation is taken, in this order of trust, from the in-kernel device-wide clock, from the device timer less idle_ns, from the
/// host timer less idle_ns. Cycles come from the unit's counter where it counts cycles, else from the clock that is trusted most: the median of
/// the telemetry, the dependent-ALU chain's, the reported one. Its provenance is in the record. Without any clock they are absent. Of a CPU device there are fastest_ns_per_op and fastest_cycles_per_op, too: of the fastest tenth
/// of the samples, one at least.
///
/// Where there is Measurement::work: gb_per_s, in 1e9 bytes, by the same time as ns_per_op. bytes_per_unit_cycle: where the work-groups noted
/// their units and a counter of cycles, the mean over the units of what was moved on each by its own cycles, so that no frequency comes in;
/// else gb_per_s by clock_mhz and by the reported units, as long as there were at least as many groups as units. `units`: how many that
/// were. groups_at_once: see GroupClocks.
///
/// `rates`: at which the unit's counter ticked at the device's earlier points, per nanosecond. What it counts is decided by the median of these and
/// its own, so that single points do not disagree where the rate is near a limit.
void derive_statistics(Measurement& measurement, const DeviceInfo& device, std::span<const double> rates = {});

/// The sum of each sample's numbers in the series `name`, to each operation, as the statistic NAME_per_op; none where a sample has no numbers.
void derive_series_sum(Measurement& measurement, const std::string& name);

/// The rate at which the unit's counter ticked, per nanosecond, by what derive_statistics() found; empty where there is none.
std::optional<double> counter_rate(const Measurement& measurement);

}  // namespace percycle
