#pragma once

#include <cstdint>
#include <optional>

namespace percycle {

/// The duration of one call on a device.
struct Timing {
  double host_ns = 0;  ///< from before the submission until the host saw it complete
  /// By the device's own timestamps; empty if it has none or they were rejected.
  std::optional<double> device_ns;
  /// The submission by the host's steady clock; 0 for calls other than Device::run().
  std::int64_t begin_ns = 0;
};

/// A kernel's own clocks, read before the first and after the last timed operation.
struct InKernelClock {
  /// Ticks of the unit's counter: cycles, or a fixed rate (see measure/counter.hpp).
  std::optional<std::uint64_t> ticks;
  std::optional<double> realtime_ns;  ///< by a device-wide clock with a known unit
};

/// Bytes of a kernel's own clocks: four 64-bit counts (see ClockReadings), the head of most result
/// buffers.
inline constexpr std::uint64_t kClockBytes = 4 * sizeof(std::uint64_t);

/// The clocks that a work-group reads around its timed part. Kernels write five 64-bit
/// little-endian counts.
struct GroupStamp {
  std::uint64_t unit_begin = 0;  ///< unit's counter; both are 0 if it has none
  std::uint64_t unit_end = 0;
  std::uint64_t device_begin = 0;  ///< device-wide clock; both are 0 if it has none
  std::uint64_t device_end = 0;
  std::uint64_t unit = 0;  ///< number of the unit; 0 if kernels cannot read it
};

/// The GroupStamps of one dispatch, reduced (see measure/group_clocks.hpp).
struct GroupClocks {
  struct Range {
    double median = 0;
    double min = 0;
    double max = 0;
  };

  std::uint64_t groups = 0;  ///< that noted their clocks
  /// Units the groups ran on; empty if kernels cannot read a unit's number.
  std::optional<std::uint64_t> units;
  /// From the start of the first group to the end of the last, by the device-wide clock.
  std::optional<double> span_ns;
  /// The same per unit, by the unit's counter; per group if the units are unknown.
  std::optional<Range> ticks;
  /// Rate of the counter by the device-wide clock: the median of the units, or of the groups if the
  /// units are unknown.
  std::optional<double> ticks_per_ns;
  /// Groups per unit, divided by the unit's ticks: the mean of the units; empty if units are
  /// unknown or some groups noted no clocks.
  std::optional<double> groups_per_tick;
  /// Sum of the groups' ticks over their unit's ticks: the median of the units; empty if units are
  /// unknown or some groups noted no clocks.
  std::optional<double> groups_at_once;
  /// The most groups that ran on one unit at one moment; empty in the same cases.
  std::optional<std::uint64_t> most_at_once;
};

/// Data that other work-groups of the dispatch moved while the timed part ran.
struct Traffic {
  std::uint64_t bytes = 0;
  std::uint64_t groups = 0;  ///< that moved them, each on its own unit
};

/// A kernel's time alone, and the times of two launches of it that may overlap.
struct PairTimes {
  double alone_ns = 0;
  double both_ns = 0;  ///< from the start of the first to the end of the last
  /// Each by its own timestamps; empty if unknown.
  std::optional<double> first_ns;
  std::optional<double> second_ns;
};

/// One timed dispatch.
struct Sample {
  /// Operations (loads) per invocation between the two reads of the in-kernel clock.
  std::uint64_t ops = 0;
  Timing timing;
  InKernelClock clock;
  std::optional<GroupClocks> groups{};  ///< set if the work-groups note their clocks one by one
  std::optional<Traffic> traffic{};     ///< set if others move data beside the timed part
  std::optional<PairTimes> pair{};      ///< set if the dispatch is two launches
  /// Its end since a sustained load began, by the host, and all operations of the load until then.
  std::optional<double> end_ns{};
  std::optional<std::uint64_t> load_ops{};
};

}  // namespace percycle
