#pragma once

#include <cstdint>

#include "device/info.hpp"

namespace percycle {

/// Lanes of the device's widest subgroup; 32 if it is unknown or above 64. CPU drivers report a
/// whole work-group as a wider subgroup.
inline std::uint32_t subgroup_lanes(const DeviceInfo& device) {
  constexpr std::uint32_t kUsual = 32;
  constexpr std::uint32_t kWidest = 64;
  const std::uint32_t widest = device.subgroup_sizes.empty() ? kUsual : device.subgroup_sizes.back();
  return widest <= kWidest ? widest : kUsual;
}

}  // namespace percycle
