#include "measure/time_source.hpp"

#include <algorithm>

#include "core/timed_sample.hpp"

namespace percycle {

bool device_timer_sane(const Timing& timing) {
  return timing.device_ns && *timing.device_ns > 0 && *timing.device_ns <= timing.host_ns * 1.02 + 1e4;
}

double trusted_ns(const Timing& timing) { return device_timer_sane(timing) ? *timing.device_ns : timing.host_ns; }

TimeSource choose_time_source(std::span<const Sample> samples) {
  const auto all = [&](const auto& test) { return std::all_of(samples.begin(), samples.end(), test); };
  TimeSource source;
  // A device timer above the host's time or an in-kernel clock above the dispatch's is wrong.
  const bool has_timer = all([](const Sample& s) { return s.timing.device_ns && *s.timing.device_ns > 0; });
  const bool timer_sane = all([](const Sample& s) { return device_timer_sane(s.timing); });
  if (has_timer && !timer_sane)
    source.warnings.emplace_back("the device timer shows more time than the host timer, so percycle did not use it");
  const auto whole = [&](const Sample& s) { return timer_sane ? *s.timing.device_ns : s.timing.host_ns; };

  const bool in_kernel = all([](const Sample& s) { return in_kernel_ns(s).value_or(0) > 0; });
  const bool in_kernel_sane = in_kernel && all([&](const Sample& s) { return *in_kernel_ns(s) <= whole(s) * 1.02 + 1e4; });
  if (in_kernel && !in_kernel_sane)
    source.warnings.emplace_back("the in-kernel clock shows more time than the whole dispatch, so percycle did not use it");
  source.name = in_kernel_sane ? kInKernelClock : timer_sane ? kDeviceTimer : kHostTimer;
  return source;
}

}  // namespace percycle
