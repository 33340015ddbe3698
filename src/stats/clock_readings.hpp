#pragma once

#include <optional>
#include <string_view>

#include "core/measurement.hpp"

namespace percycle {

/// Rate of the unit's counter by this time source (core/timed_sample.hpp), in ticks per nanosecond:
/// the median over the samples. Empty if most samples lack it or no counter ticked.
std::optional<double> counter_ticks_per_ns(const Measurement& measurement, std::string_view time_source);

/// The core clock at which the chain's operations took their time; empty without runs.
std::optional<double> chain_mhz(const AluChainRuns& chain);

}  // namespace percycle
