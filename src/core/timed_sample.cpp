#include "core/timed_sample.hpp"

#include <algorithm>

namespace percycle {

std::optional<double> in_kernel_ns(const Sample& sample) {
  return sample.groups ? sample.groups->span_ns : sample.clock.realtime_ns;
}

std::optional<double> counter_ticks(const Sample& sample) {
  if (sample.groups && sample.groups->ticks) return sample.groups->ticks->median;
  return sample.clock.ticks ? std::optional(static_cast<double>(*sample.clock.ticks)) : std::nullopt;
}

std::optional<double> timed_ns(std::string_view time_source, double idle_ns, const Sample& sample) {
  if (time_source == kInKernelClock) return in_kernel_ns(sample);
  const auto whole = time_source == kDeviceTimer ? sample.timing.device_ns : std::optional(sample.timing.host_ns);
  if (!whole) return std::nullopt;
  return std::max(*whole - idle_ns, 0.0);
}

std::optional<double> timed_ns(const Measurement& measurement, const Sample& sample) {
  return timed_ns(measurement.time_source, measurement.idle_ns.value_or(0), sample);
}

}  // namespace percycle
