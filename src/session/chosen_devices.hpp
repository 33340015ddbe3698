#pragma once

#include <string>
#include <vector>

#include "device/identity.hpp"

namespace percycle {

/// One card through one API: a device for each driver that shows it, the one to measure first.
using CardDrivers = std::vector<DeviceInfo>;

/// `devices` in their order, those that are one card of `cards` through one API together. A
/// translation layer comes after the card's own drivers. The drivers of a CPU stay apart, because
/// they are what is measured there.
std::vector<CardDrivers> once_per_card(const std::vector<DeviceInfo>& devices, const std::vector<Card>& cards);

/// "opencl:1 (rusticl) is the same card as opencl:0: percycle measures opencl:0; --device opencl:1
/// measures the other driver" for the devices of `same` that are not `measured`; empty without
/// others.
std::string same_card_note(const CardDrivers& same, const DeviceInfo& measured);

}  // namespace percycle
