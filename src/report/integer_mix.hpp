#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/measurement.hpp"
#include "limits/limits.hpp"

namespace percycle {

/// The instructions of a turn of integer additions in NVIDIA's machine code. Its compilers turn
/// some additions into multiply-adds, which have other execution units.
struct IntegerMix {
  std::uint64_t additions = 0;      ///< all that are not multiply-adds
  std::uint64_t multiply_adds = 0;  ///< IMAD
  std::uint64_t results = 0;        ///< without the loop's own few instructions

  bool operator==(const IntegerMix&) const = default;
};

/// The mix of a timed loop; empty if it is unknown or has almost no multiply-adds.
std::optional<IntegerMix> integer_mix(const Measurement& measurement);

/// The limit of additions (`int32`) for that mix: both kinds of units work side by side. Empty if
/// the catalogue has no `int32_mul` of the device.
std::optional<Limit> limit_of_mix(const Limit& int32, const IntegerMix& mix, const DeviceLimits& device_limits);

/// "a turn of the loop has 256 multiply-adds (IMAD) and 256 other operations".
std::string to_text(const IntegerMix& mix);

}  // namespace percycle
