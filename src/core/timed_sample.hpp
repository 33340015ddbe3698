#pragma once

#include <optional>

#include "core/measurement.hpp"
#include "core/sample.hpp"

namespace percycle {

/// How long the timed part took by the device-wide clock that the kernel read: of its one work-group, or from the first group's begin to the
/// last one's end.
std::optional<double> in_kernel_ns(const Sample& sample);

/// How long the timed part took by what Measurement::time_source names, idle_ns taken off where it is a timer. Empty where the sample lacks that.
std::optional<double> timed_ns(const Measurement& measurement, const Sample& sample);

}  // namespace percycle
