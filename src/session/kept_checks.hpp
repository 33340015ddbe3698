#pragma once

#include <string>
#include <vector>

#include "core/device_check.hpp"
#include "device/info.hpp"

namespace percycle {

/// The folder of the kept checks in the user's cache.
inline constexpr const char* kDoctorFolder = "doctor";

/// Keeps the checks that `doctor` made of a device of the card `identity`, in place of earlier ones
/// of this device with this driver on this system. Simulated devices have none.
void keep_checks(const DeviceInfo& device, const std::string& identity, const std::vector<DeviceCheck>& checks);

/// The kept checks of this device with this driver on this system; empty without.
std::vector<DeviceCheck> kept_checks(const DeviceInfo& device, const std::string& identity);

}  // namespace percycle
