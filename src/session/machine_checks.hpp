#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/device_check.hpp"
#include "device/info.hpp"
#include "session/visibility_masks.hpp"

namespace percycle {

inline constexpr const char* kLoadCheck = "load";

/// The check of the load; `busy` as of busy_share().
DeviceCheck load_check(std::optional<double> busy);

/// The checks of the drivers that this enumeration found: faults, nodes of /dev that are `closed`
/// to the user, cards that two drivers of one API show, and a machine without a GPU, which `masks`
/// may hide.
std::vector<DeviceCheck> driver_checks(const Enumeration& enumeration, const std::vector<std::string>& closed,
                                       const std::vector<VisibilityMask>& masks, std::string_view host_cpu_name);

}  // namespace percycle
