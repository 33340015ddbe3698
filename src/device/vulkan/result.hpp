#pragma once

#include <volk.h>

#include <string>

#include "device/error.hpp"

namespace percycle::vulkan {

/// "VK_ERROR_DEVICE_LOST"; "VkResult N" for an unknown code.
std::string result_name(VkResult result);

/// The kind of a failed call.
DeviceError::Kind error_kind(VkResult result);

/// Throws DeviceError naming `call` unless the result is VK_SUCCESS.
void check(VkResult result, const char* call);

/// Throws std::invalid_argument, with `why`, unless the condition holds.
void require(bool condition, const std::string& why);

}  // namespace percycle::vulkan
