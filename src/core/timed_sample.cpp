#include "core/timed_sample.hpp"

#include <algorithm>

namespace percycle {

std::optional<double> in_kernel_ns(const Sample& sample) {
  return sample.groups ? sample.groups->span_ns : sample.clock.realtime_ns;
}

std::optional<double> timed_ns(const Measurement& measurement, const Sample& sample) {
  if (measurement.time_source == "in-kernel clock") return in_kernel_ns(sample);
  const auto whole = measurement.time_source == "device timer" ? sample.timing.device_ns : std::optional(sample.timing.host_ns);
  if (!whole) return std::nullopt;
  return std::max(*whole - measurement.idle_ns.value_or(0), 0.0);
}

}  // namespace percycle
