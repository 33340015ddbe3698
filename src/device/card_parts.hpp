#pragma once

#include <string>

#include "device/info.hpp"

namespace percycle {

/// The kind of part of a card that a device is: "MIG slice", "vGPU" or "partition", by
/// DeviceInfo::part, else by its name; empty for a whole card, as far as the driver says.
std::string part_of_card(const DeviceInfo& info);

/// The layer between percycle and the card's own driver: "Dozen (Direct3D 12)"; empty if there is
/// none. Its devices have the card's name, but other limits and other machine code.
std::string layer_of(const DeviceInfo& info);

}  // namespace percycle
