#pragma once

#include <optional>
#include <string_view>

#include "core/measurement.hpp"
#include "core/sample.hpp"

namespace percycle {

// Names of the clocks that time samples, see Measurement::time_source.
inline constexpr const char* kInKernelClock = "in-kernel clock";
inline constexpr const char* kDeviceTimer = "device timer";
inline constexpr const char* kHostTimer = "host timer";

/// Duration of the timed part by the device-wide clock that the kernel read: of its one work-group,
/// or from the start of the first group to the end of the last.
std::optional<double> in_kernel_ns(const Sample& sample);

/// Ticks of the unit's counter during one sample; the median unit's if work-groups note their
/// clocks one by one.
std::optional<double> counter_ticks(const Sample& sample);

/// Duration of the timed part by a time source (one of the names above). Takes idle_ns off a timer.
/// Empty if the sample lacks that source.
std::optional<double> timed_ns(std::string_view time_source, double idle_ns, const Sample& sample);

/// The same, by Measurement::time_source.
std::optional<double> timed_ns(const Measurement& measurement, const Sample& sample);

}  // namespace percycle
