#pragma once

#include <cstdint>
#include <vector>

#include "device/opencl/query.hpp"

namespace percycle::opencl {

/// Throws DeviceError; its code is CL_PLATFORM_NOT_FOUND_KHR if no driver is installed.
std::vector<cl_platform_id> platforms();

/// Every device of the platform, of any type; may be empty. Throws DeviceError.
std::vector<cl_device_id> devices(cl_platform_id platform);

/// The device of that place in the enumeration. Throws DeviceError.
DeviceQuery find_device(std::uint32_t open_index);

}  // namespace percycle::opencl
