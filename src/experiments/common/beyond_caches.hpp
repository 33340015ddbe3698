#pragma once

#include <cstdint>

#include "core/units.hpp"
#include "device/info.hpp"

namespace percycle {

/// How far a footprint sweep goes on `device` to leave every cache well behind, in bytes: 1 GiB is four times the largest last level of any card
/// known (256 MiB, CDNA 3), 512 MiB four times that of a consumer card (128 MiB Infinity Cache), enough where there is little memory.
inline std::uint64_t beyond_caches(const DeviceInfo& device) {
  return device.type == DeviceType::gpu && device.memory_bytes.value_or(0) >= 8 * kGiB ? kGiB : 512 * kMiB;
}

}  // namespace percycle
