#pragma once

#include <string_view>

#include "device/info.hpp"

namespace percycle::opencl {

/// Whether Mesa's rusticl is the platform: it passes on what the driver below it states.
bool is_rusticl(const DeviceInfo& info);

/// Mesa's rasterizer for CPUs, whose number of units is a constant.
bool is_llvmpipe(const DeviceInfo& info);

/// The driver below rusticl if the clock that it states is a constant of its source, else "".
std::string_view constant_clock_of(const DeviceInfo& info);

}  // namespace percycle::opencl
