#pragma once

#include <optional>
#include <string_view>

#include "core/measurement.hpp"
#include "core/sample.hpp"

namespace percycle {

// Names of what tells the time of samples, see Measurement::time_source.
inline constexpr const char* kInKernelClock = "in-kernel clock";
inline constexpr const char* kDeviceTimer = "device timer";
inline constexpr const char* kHostTimer = "host timer";

/// How long the timed part took by the device-wide clock that the kernel read: of its one work-group, or from the first group's begin to the
/// last one's end.
std::optional<double> in_kernel_ns(const Sample& sample);

/// Ticks of the unit's counter during one sample: of the median unit where work-groups note their clocks one by one.
std::optional<double> counter_ticks(const Sample& sample);

/// How long the timed part took by what that time source (one of the names above) is, idle_ns taken off where it is a timer. Empty where the sample lacks
/// that.
std::optional<double> timed_ns(std::string_view time_source, double idle_ns, const Sample& sample);

/// The same by what Measurement::time_source names.
std::optional<double> timed_ns(const Measurement& measurement, const Sample& sample);

}  // namespace percycle
