#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "device/device.hpp"
#include "device/enumeration_sink.hpp"

namespace percycle {

/// Enumerates every physical device of every Vulkan driver in the loader's order. Opens the loader
/// at run time and reports a missing one as a problem. Never throws DeviceError.
void enumerate_vulkan(const EnumerationSink& sink);

/// Opens a device by its place in this process's enumeration. Its info() has `index`, by default
/// that place, and no peers. Throws DeviceError.
std::unique_ptr<Device> open_vulkan(std::uint32_t open_index, std::optional<std::uint32_t> index = std::nullopt);

}  // namespace percycle
