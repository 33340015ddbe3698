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

/// What a work-group notes of the clocks around its timed part. Kernels write it as five 64-bit counts, little-endian.
struct GroupStamp {
  std::uint64_t unit_begin = 0;  ///< of the unit's counter; 0 and 0 where there is none
  std::uint64_t unit_end = 0;
  std::uint64_t device_begin = 0;  ///< of the device-wide clock, likewise
  std::uint64_t device_end = 0;
  std::uint64_t unit = 0;  ///< the number of the unit; 0 where kernels cannot read it
};

/// What the work-groups of one dispatch noted of the clocks around their timed part, reduced: see measure/group_clocks.hpp.
struct GroupClocks {
  struct Range {
    double median = 0;
    double min = 0;
    double max = 0;
  };

  std::uint64_t groups = 0;
  std::optional<std::uint64_t> units;  ///< that they ran on; absent where kernels cannot read a unit's number
  std::optional<double> span_ns;       ///< from the first group's begin to the last one's end, by the device-wide clock
  std::optional<Range> ticks;          ///< the same of each unit, by its own counter; of each group where units are not known
  std::optional<double> ticks_per_ns;  ///< rate of the counter against the device-wide clock: the median of the groups
  std::optional<double>
      groups_per_tick;  ///< groups on a unit by its ticks: the mean of the units; absent where they are not known
  std::optional<double> groups_at_once;  ///< the groups' own ticks together, by their unit's: the median of the units; likewise
};

/// One timed dispatch.
struct Sample {
  std::uint64_t ops = 0;  ///< operations (loads) between the in-kernel clock reads, per invocation
  Timing timing;
  InKernelClock clock;
  std::optional<GroupClocks> groups{};  ///< of a dispatch whose work-groups note their clocks one by one
};

}  // namespace percycle
