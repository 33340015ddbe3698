#pragma once

#include <cstdint>

#include "core/units.hpp"
#include "device/info.hpp"

namespace percycle {

/// The largest footprint of a sweep on `device`, in bytes: far beyond every cache. 1 GiB is four
/// times the largest known last level (256 MiB, CDNA 3). 512 MiB is four times the largest cache of
/// consumer cards (128 MiB Infinity Cache).
inline std::uint64_t beyond_caches(const DeviceInfo& device) {
  return device.type == DeviceType::gpu && device.memory_bytes.value_or(0) >= 8 * kGiB ? kGiB : 512 * kMiB;
}

}  // namespace percycle
