#pragma once

#include <string>

#include "core/measurement.hpp"
#include "measure/clock.hpp"

namespace percycle {

/// Fills in everything of a Measurement that follows from its samples, control samples, telemetry, ALU chain and idle_ns: time_source, statistics,
/// clock_mhz, clocks_mhz, counter_mhz and the warnings about timers that contradict each other. Pure. Throws std::invalid_argument when there are no samples.
///
/// ns per operation is taken from what choose_time_source() says; idle_ns is taken off the device timer and the host timer. Cycles come from the unit's
/// counter where it counts cycles, else from the clock that is trusted most (DeviceClock::during). Its provenance is in the record. Without any clock
/// they are absent. A CPU device has fastest_ns_per_op and fastest_cycles_per_op, too: of the fastest tenth of the samples, one at least.
///
/// Where there is Measurement::work: gb_per_s, in 1e9 bytes, by the same time as ns_per_op. bytes_per_unit_cycle: where the work-groups noted
/// their units and a counter of cycles, the mean over the units of what was moved on each by its own cycles, so that no frequency comes in;
/// else gb_per_s by clock_mhz and by the reported units, as long as there were at least as many groups as units. `units`: how many that
/// were. groups_at_once: see GroupClocks.
///
/// Where a sample is_too_short() no time per operation is derived, nor cycles that a time was turned into; what the unit's counter counted stays.
/// A statistic that must be above 0 and is not is left out with a warning.
void derive_statistics(Measurement& measurement, const DeviceClock& device_clock);

/// Whether a sample was no longer than an idle dispatch, by what tells the time of these samples.
bool is_too_short(const Measurement& measurement);

/// The sum of each sample's numbers in the series `name`, to each operation, as the statistic NAME_per_op; none where a sample has no numbers.
void derive_series_sum(Measurement& measurement, const std::string& name);

}  // namespace percycle
