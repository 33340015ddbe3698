#pragma once

#include <cstdint>
#include <optional>

namespace percycle {

/// What one call on a device took.
struct Timing {
  double host_ns = 0;               ///< from before the submission until the host knew of its end
  std::optional<double> device_ns;  ///< by the device's own timestamps; absent where it has none or they were refused
};

/// What a kernel read of its own clocks between the first and the last timed operation.
struct InKernelClock {
  std::optional<std::uint64_t> ticks;  ///< of the unit's counter: cycles, or a fixed rate (see measure/counter.hpp)
  std::optional<double> realtime_ns;   ///< of a device-wide clock with a known unit
};

/// One timed dispatch.
struct Sample {
  std::uint64_t ops = 0;  ///< operations (loads) between the in-kernel clock reads, per invocation
  Timing timing;
  InKernelClock clock;
};

}  // namespace percycle
