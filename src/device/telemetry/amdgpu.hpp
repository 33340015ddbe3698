#pragma once

#include <filesystem>

#include "device/info.hpp"
#include "device/telemetry/reader.hpp"

namespace percycle::telemetry {

/// What Linux's amdgpu driver shows of a device below `sysfs_root` (Linux kernel, GPU Driver Developer's Guide, amdgpu, "GPU Power/Thermal
/// Controls and Monitoring"): hwmon's freq1_input (the core clock, in Hz; where there is none the level marked in pp_dpm_sclk), power1_average
/// (else power1_input, both in microwatts), temp1_input (in thousandths of a degree). Of its state:
/// power1_cap beside power1_cap_default, and sysfs_conditions().
Found open_amdgpu(const DeviceInfo& device, const std::filesystem::path& sysfs_root);

}  // namespace percycle::telemetry
