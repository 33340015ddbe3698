#pragma once

#include <cstdint>
#include <optional>

#include "device/info.hpp"

namespace percycle {

/// The classification of a unit's counter.
enum class CounterKind {
  cycles,      ///< of the unit's clock
  fixed_rate,  ///< a reference clock: its ticks are never called cycles
};

/// Distinguishes a core clock from a reference clock. A counter has a fixed rate if it ticks at the
/// rate of the device's timer (lavapipe: both 1 ns; Intel: both the reference clock), at the
/// whole-nanosecond rate of a CPU's time source, or below 200 MHz. No core under load is that slow,
/// but reference clocks are (AMD's s_memrealtime: 100 MHz; RDNA ISA, "S_MEMREALTIME"). A core clock
/// within 0.5 % of its device's timer also counts as fixed: cycles are then missing, never wrong.
CounterKind classify_counter(double ticks_per_ns, const DeviceInfo& device);

/// end - begin of a counter that may have wrapped once; at 32 bits if both readings fit 32 bits and
/// run backwards (lavapipe 22.3 leaves the high word zero). Empty if it ran backwards otherwise.
std::optional<std::uint64_t> elapsed_ticks(std::uint64_t begin, std::uint64_t end);

/// Ticks from one reading to another, negative if the other is earlier. If one reading fits 32
/// bits, the low 32 bits decide (lavapipe 22.3 leaves the high word zero).
std::int64_t ticks_between(std::uint64_t from, std::uint64_t to);

}  // namespace percycle
