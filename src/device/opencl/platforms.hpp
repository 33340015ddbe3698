#pragma once

#include <vector>

#include "device/opencl/headers.hpp"

namespace percycle::opencl {

/// Throws DeviceError; its code is CL_PLATFORM_NOT_FOUND_KHR if no driver is installed.
std::vector<cl_platform_id> platforms();

/// Every device of the platform, of any type; may be empty. Throws DeviceError.
std::vector<cl_device_id> devices(cl_platform_id platform);

}  // namespace percycle::opencl
