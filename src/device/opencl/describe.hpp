#pragma once

#include <cstdint>

#include "device/info.hpp"
#include "device/opencl/query.hpp"

namespace percycle::opencl {

/// All that the driver tells of the device. Queries only: no context and no program is made.
DeviceInfo describe(const DeviceQuery& query, std::uint32_t index);

}  // namespace percycle::opencl
