#pragma once

#include <cstdint>

#include "device/info.hpp"
#include "device/opencl/query.hpp"

namespace percycle::opencl {

/// The driver's description of the device. Makes queries only, no context and no program.
DeviceInfo describe(const DeviceQuery& query, std::uint32_t index);

}  // namespace percycle::opencl
