#pragma once

#include <cstdint>
#include <memory>

#include "device/device.hpp"
#include "device/enumeration_sink.hpp"

namespace percycle {

/// Enumerates every physical device of every Vulkan driver in the loader's order. Opens the loader
/// at run time and reports a missing one as a problem. Never throws DeviceError.
void enumerate_vulkan(const EnumerationSink& sink);

/// Opens device `index` of the enumeration. Throws DeviceError.
std::unique_ptr<Device> open_vulkan(std::uint32_t index);

}  // namespace percycle
