#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "device/device.hpp"
#include "measure/corrected_device.hpp"

namespace percycle {

/// Lanes of each subgroup, from the first lane's number that each lane of a work-group was told.
/// Empty if the subgroups differ, or if all lanes are one.
std::optional<std::uint32_t> lanes_together(std::span<const std::uint32_t> first_lanes);

/// Lanes of a subgroup, counted in a kernel that may require a size. Empty if the device cannot
/// say. Throws DeviceError.
std::optional<std::uint32_t> counted_subgroup_size(Device& device, std::optional<std::uint32_t> required);

/// Counts the lanes of a subgroup. If the driver states other sizes, or breaks a required one,
/// gives `corrected` the counted size and returns a warning. `corrected` is `device` or one below
/// it. Throws DeviceError only if the device is lost.
std::string correct_subgroup_size(Device& device, CorrectedDevice& corrected);

}  // namespace percycle
