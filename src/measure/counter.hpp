#pragma once

#include <cstdint>
#include <optional>

#include "device/info.hpp"

namespace percycle {

/// What a unit's counter turned out to count.
enum class CounterKind {
  cycles,      ///< of the unit's clock
  fixed_rate,  ///< a reference clock: its ticks are never called cycles
};

/// Tells a core clock from a reference clock by its rate against real time. It is a fixed rate when it ticks at the rate of the device's
/// timer (lavapipe: both 1 ns; Intel: both the reference clock), at the whole-nanosecond rate of a CPU's time source, or below 200 MHz,
/// where no core under load runs but reference clocks do (AMD's s_memrealtime: 100 MHz; RDNA ISA, "S_MEMREALTIME"). A core that happens to
/// run within 0.5 % of its device's timer would be called fixed-rate too: cycles are then missing, never wrong.
CounterKind classify_counter(double ticks_per_ns, const DeviceInfo& device);

/// end - begin of a counter that may have wrapped once. A counter whose two readings both fit 32 bits and run backwards wraps at 32 bits
/// (lavapipe 22.3 leaves the high word zero). Empty when it ran backwards otherwise.
std::optional<std::uint64_t> elapsed_ticks(std::uint64_t begin, std::uint64_t end);

}  // namespace percycle
