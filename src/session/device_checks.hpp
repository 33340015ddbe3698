#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/device_check.hpp"
#include "device/device.hpp"
#include "measure/corrected_device.hpp"
#include "measure/timer_check.hpp"

namespace percycle {

/// The checks of a device by its own kernels, and what they correct.
struct DeviceChecks {
  std::vector<DeviceCheck> checks;
  std::optional<std::uint32_t> subgroup_size;  ///< if the driver states other ones
  std::optional<std::uint32_t> units;          ///< if the driver states another number
  /// The largest buffer that the device gives, if the driver states more.
  std::optional<std::uint64_t> max_allocation_bytes;
  std::vector<std::string> warnings;  ///< of the corrections, for each point
};

using CheckBegins = std::function<void(std::string_view name, const DeviceChecks& so_far)>;

/// Checks timer, loops, subgroup size, units and the buffers that sweeps need, in at most a second,
/// and the largest buffer that the driver states if `tries_memory`. If a kernel's result is wrong,
/// only says so. `corrected`, which is `device` or below it, takes the corrections. Throws
/// DeviceError only if the device is lost.
/// Tells `before` the name of each check as it begins, and what is known so far.
DeviceChecks check_device(
    Device& device, CorrectedDevice& corrected, TimerCheck& timer, bool tries_memory = false,
    const CheckBegins& before = [](std::string_view, const DeviceChecks&) {});

}  // namespace percycle
