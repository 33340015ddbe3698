#pragma once

#include <string>

#include "core/measurement.hpp"
#include "measure/clock.hpp"

namespace percycle {

/// Derives from samples, control samples, telemetry, ALU chain and idle_ns: time_source,
/// statistics, clock_mhz, clocks_mhz, counter_mhz and warnings about contradicting timers. Pure.
/// Throws std::invalid_argument without samples.
///
/// - ns_per_op, cycles_per_op: time of an operation. idle_ns is subtracted from timers. Cycles come
///   from the unit's counter if it counts cycles, else from the most trusted clock
///   (DeviceClock::during).
/// - device_ns_per_op: by the device timer, without subtraction
/// - control_*: the same of the control kernel; net_*: the difference
/// - fastest_*: over the fastest tenth of the samples, at least one; for CPUs
/// - gb_per_s, bytes_per_unit_cycle (with work), gops_per_s, ops_per_unit_cycle (with
///   participants): if the work-groups recorded their units and a cycle counter, the mean over the
///   units of each unit's work divided by its own cycles, without any frequency. Otherwise the rate
///   divided by clock_mhz and the reported units, if there were at least as many groups as units.
/// - units, groups_at_once: with work or participants; the number of units used
/// - most_at_once: largest number of groups on one unit at one moment; without work
///
/// If a sample is_too_short(), there is no time per operation and no cycles that depend on a time.
/// A statistic that must be above 0 and is not is left out with a warning.
void derive_statistics(Measurement& measurement, const DeviceClock& device_clock);

/// Whether a sample was no longer than an idle dispatch, by the samples' time source.
bool is_too_short(const Measurement& measurement);

/// The sum of each sample's numbers in the series `name` per operation, as the statistic
/// NAME_per_op; none if a sample has no numbers.
void derive_series_sum(Measurement& measurement, const std::string& name);

}  // namespace percycle
