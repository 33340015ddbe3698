#pragma once

#include <filesystem>

#include "device/info.hpp"
#include "device/telemetry/reader.hpp"

namespace percycle::telemetry {

/// The clock that Linux's i915 or xe driver shows of a device below `sysfs_root`, in MHz: i915 in drm/card*/gt_act_freq_mhz (Linux kernel,
/// drivers/gpu/drm/i915/i915_sysfs.c), xe in tile*/gt*/freq0/act_freq (drivers/gpu/drm/xe/xe_gt_freq.c). Of several GTs the fastest counts:
/// another one (media) may be idle.
Found open_intel(const DeviceInfo& device, const std::filesystem::path& sysfs_root);

}  // namespace percycle::telemetry
