#pragma once

#include <filesystem>

#include "device/info.hpp"
#include "device/telemetry/reader.hpp"

namespace percycle::telemetry {

/// Telemetry and power limits of Linux's amdgpu driver below `sysfs_root`, and sysfs_conditions().
/// docs/internals.md lists the files that it reads.
FoundReader open_amdgpu(const DeviceInfo& device, const std::filesystem::path& sysfs_root);

}  // namespace percycle::telemetry
