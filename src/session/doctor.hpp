#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/device_check.hpp"
#include "device/identity.hpp"
#include "device/info.hpp"

namespace percycle {

/// A machine and its devices, checked.
struct Diagnosis {
  struct CheckedDevice {
    DeviceInfo device;
    std::vector<DeviceCheck> checks;
  };
  std::vector<DeviceCheck> machine;
  std::vector<CheckedDevice> devices;
};

/// Keeps the checks for later runs, but that of the load; `cards` of all devices.
void keep(const Diagnosis& diagnosis, const std::vector<Card>& cards);

/// Checks this machine, and then each of `devices`, which `enumeration` holds, in its own process.
Diagnosis diagnose(const Enumeration& enumeration, const std::vector<DeviceInfo>& devices);

/// A line for each check: "units           good: 132 by the driver, 132 by time".
std::string diagnosis_text(const Diagnosis& diagnosis);

/// {"machine": [...], "devices": [{"selector", "name", "driver", "checks"}]}, a check with "name",
/// "verdict" and "text".
nlohmann::json diagnosis_json(const Diagnosis& diagnosis);

}  // namespace percycle
