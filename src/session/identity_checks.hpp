#pragma once

#include <vector>

#include "core/device_check.hpp"
#include "device/info.hpp"

namespace percycle {

/// Checks by which a device is not the card that its name suggests: a layer, a part of a card.
std::vector<DeviceCheck> identity_checks(const DeviceInfo& device);

/// The same, and the check by which the sources of the units contradict each other.
std::vector<DeviceCheck> stated_checks(const DeviceInfo& device);

}  // namespace percycle
