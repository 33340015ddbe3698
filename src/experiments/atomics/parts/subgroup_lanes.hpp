#pragma once

#include <cstdint>

#include "device/info.hpp"

namespace percycle {

/// Lanes of the device's widest subgroup; 32 where it does not say, or says more than 64: what CPU drivers call wider is a whole work-group.
inline std::uint32_t subgroup_lanes(const DeviceInfo& device) {
  constexpr std::uint32_t kUsual = 32;
  constexpr std::uint32_t kWidest = 64;
  const std::uint32_t widest = device.subgroup_sizes.empty() ? kUsual : device.subgroup_sizes.back();
  return widest <= kWidest ? widest : kUsual;
}

}  // namespace percycle
