#pragma once

#include <string>

#include "core/measurement.hpp"
#include "measure/clock.hpp"

namespace percycle {

/// Derives from samples, control samples, telemetry, ALU chain and idle_ns: time_source,
/// statistics, clock_mhz, clocks_mhz, counter_mhz and warnings about contradicting timers
/// (docs/internals.md). Pure. Throws std::invalid_argument without samples.
void derive_statistics(Measurement& measurement, const DeviceClock& device_clock);

/// Whether a sample was no longer than an idle dispatch, by the samples' time source.
bool is_too_short(const Measurement& measurement);

/// The sum of each sample's numbers in the series `name` per operation, as the statistic
/// NAME_per_op; none if a sample has no numbers.
void derive_series_sum(Measurement& measurement, const std::string& name);

}  // namespace percycle
