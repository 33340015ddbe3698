#pragma once

#include <cstdint>
#include <optional>

namespace percycle::vulkan {

/// Nanoseconds between two raw timestamps of `valid_bits` bits and `period_ns` per tick, a counter that wrapped in between
/// included. Empty when they cannot be a measurement: both zero (driver shims), not advanced, or running backwards.
std::optional<double> elapsed_ns(std::uint64_t begin, std::uint64_t end, std::uint32_t valid_bits, double period_ns);

/// The period as a driver reports it; empty when it cannot be one (RADV's null device says infinity).
std::optional<double> plausible_period(float period_ns);

}  // namespace percycle::vulkan
