#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace percycle::vulkan {

/// Nanoseconds between two raw timestamps of `valid_bits` bits with `period_ns` per tick, across
/// one wrap. Empty if they cannot be a measurement: both zero (driver shims), equal, or running
/// backwards.
std::optional<double> elapsed_ns(std::uint64_t begin, std::uint64_t end, std::uint32_t valid_bits, double period_ns);

/// From the first of the begins to the last of the ends; empty if no pair is a measurement.
std::optional<double> longest_ns(const std::array<std::uint64_t, 2>& begins, const std::array<std::uint64_t, 2>& ends,
                                 std::uint32_t valid_bits, double period_ns);

/// The period that a driver reports; empty if it is impossible (RADV's null device reports
/// infinity).
std::optional<double> plausible_period(float period_ns);

}  // namespace percycle::vulkan
