#pragma once

#include <string_view>
#include <vector>

#include "core/device_check.hpp"
#include "device/info.hpp"

namespace percycle {

/// The words after the name of a layer or the kind of a part, for people.
inline constexpr std::string_view kLayerSpoils =
    "a translation layer, not the card's own driver: percycle measures both together, and the card's limits do not hold";
inline constexpr std::string_view kPartSpoils = "a part of a card: the whole card's limits do not hold";

/// Checks by which a device is not the card that its name suggests: a layer, a part of a card.
std::vector<DeviceCheck> identity_checks(const DeviceInfo& device);

}  // namespace percycle
