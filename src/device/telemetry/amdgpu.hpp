#pragma once

#include <filesystem>

#include "device/info.hpp"
#include "device/telemetry/reader.hpp"

namespace percycle::telemetry {

/// Telemetry and power limits of Linux's amdgpu driver below `sysfs_root`, and sysfs_conditions()
/// (Linux kernel, GPU Driver Developer's Guide, amdgpu, "GPU Power/Thermal Controls and
/// Monitoring"). It reads these files of hwmon:
/// - freq1_input: core clock in Hz (pp_dpm_sclk marks a target level instead)
/// - power1_average, else power1_input: power in microwatts
/// - temp1_input: temperature in thousandths of a degree
/// - energy1_input: energy in microjoules, if the card has the counter
/// - power1_cap, power1_cap_default: a limit below the default is a warning
FoundReader open_amdgpu(const DeviceInfo& device, const std::filesystem::path& sysfs_root);

}  // namespace percycle::telemetry
