#pragma once

#include <filesystem>

#include "device/info.hpp"
#include "device/telemetry/reader.hpp"

namespace percycle::telemetry {

/// The clock of Linux's i915 or xe driver below `sysfs_root`, in MHz: drm/card*/gt_act_freq_mhz
/// (drivers/gpu/drm/i915/i915_sysfs.c) or tile*/gt*/freq0/act_freq
/// (drivers/gpu/drm/xe/xe_gt_freq.c). The fastest GT counts, because others (media) may be idle.
FoundReader open_intel(const DeviceInfo& device, const std::filesystem::path& sysfs_root);

}  // namespace percycle::telemetry
