#pragma once

#include <filesystem>

#include "device/info.hpp"
#include "device/telemetry/reader.hpp"

namespace percycle::telemetry {

/// Telemetry of Linux's i915 or xe driver below `sysfs_root`:
/// - the clock in MHz: drm/card*/gt_act_freq_mhz (drivers/gpu/drm/i915/i915_sysfs.c) or
///   tile*/gt*/freq0/act_freq (drivers/gpu/drm/xe/xe_gt_freq.c), where the first GT of a tile
///   computes and others decode video; the fastest tile counts, because others may be idle
/// - hwmon (Documentation/ABI/testing/sysfs-driver-intel-{i915,xe}-hwmon): energy1_input in
///   microjoules, of the card, else energy2_input, of the package; temp1_input, else temp2_input,
///   in thousandths of a degree; power1_input in microwatts, else the energy over a tenth of a
///   second
FoundReader open_intel(const DeviceInfo& device, const std::filesystem::path& sysfs_root);

}  // namespace percycle::telemetry
