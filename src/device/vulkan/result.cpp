#include "device/vulkan/result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace percycle::vulkan {

namespace {

struct NamedResult {
  VkResult result;
  const char* name;
};

constexpr std::array kResults{
    NamedResult{VK_SUCCESS, "VK_SUCCESS"},
    NamedResult{VK_NOT_READY, "VK_NOT_READY"},
    NamedResult{VK_TIMEOUT, "VK_TIMEOUT"},
    NamedResult{VK_INCOMPLETE, "VK_INCOMPLETE"},
    NamedResult{VK_ERROR_OUT_OF_HOST_MEMORY, "VK_ERROR_OUT_OF_HOST_MEMORY"},
    NamedResult{VK_ERROR_OUT_OF_DEVICE_MEMORY, "VK_ERROR_OUT_OF_DEVICE_MEMORY"},
    NamedResult{VK_ERROR_INITIALIZATION_FAILED, "VK_ERROR_INITIALIZATION_FAILED"},
    NamedResult{VK_ERROR_DEVICE_LOST, "VK_ERROR_DEVICE_LOST"},
    NamedResult{VK_ERROR_MEMORY_MAP_FAILED, "VK_ERROR_MEMORY_MAP_FAILED"},
    NamedResult{VK_ERROR_LAYER_NOT_PRESENT, "VK_ERROR_LAYER_NOT_PRESENT"},
    NamedResult{VK_ERROR_EXTENSION_NOT_PRESENT, "VK_ERROR_EXTENSION_NOT_PRESENT"},
    NamedResult{VK_ERROR_FEATURE_NOT_PRESENT, "VK_ERROR_FEATURE_NOT_PRESENT"},
    NamedResult{VK_ERROR_INCOMPATIBLE_DRIVER, "VK_ERROR_INCOMPATIBLE_DRIVER"},
    NamedResult{VK_ERROR_TOO_MANY_OBJECTS, "VK_ERROR_TOO_MANY_OBJECTS"},
    NamedResult{VK_ERROR_FORMAT_NOT_SUPPORTED, "VK_ERROR_FORMAT_NOT_SUPPORTED"},
    NamedResult{VK_ERROR_FRAGMENTED_POOL, "VK_ERROR_FRAGMENTED_POOL"},
    NamedResult{VK_ERROR_UNKNOWN, "VK_ERROR_UNKNOWN"},
    NamedResult{VK_ERROR_OUT_OF_POOL_MEMORY, "VK_ERROR_OUT_OF_POOL_MEMORY"},
    NamedResult{VK_ERROR_INVALID_EXTERNAL_HANDLE, "VK_ERROR_INVALID_EXTERNAL_HANDLE"},
    NamedResult{VK_ERROR_FRAGMENTATION, "VK_ERROR_FRAGMENTATION"},
    NamedResult{VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS, "VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS"},
    NamedResult{VK_ERROR_VALIDATION_FAILED_EXT, "VK_ERROR_VALIDATION_FAILED_EXT"},
    NamedResult{VK_ERROR_INVALID_SHADER_NV, "VK_ERROR_INVALID_SHADER_NV"},
    NamedResult{VK_ERROR_NOT_PERMITTED_KHR, "VK_ERROR_NOT_PERMITTED_KHR"},
};

}  // namespace

std::string result_name(VkResult result) {
  const auto* const found = std::ranges::find(kResults, result, &NamedResult::result);
  return found != kResults.end() ? found->name : fmt::format("VkResult {}", static_cast<int>(result));
}

DeviceError::Kind error_kind(VkResult result) {
  switch (result) {
    case VK_ERROR_OUT_OF_HOST_MEMORY:
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
      return DeviceError::Kind::out_of_memory;
    case VK_ERROR_DEVICE_LOST:
      return DeviceError::Kind::lost;
    case VK_ERROR_INVALID_SHADER_NV:
      return DeviceError::Kind::build;
    default:
      return DeviceError::Kind::other;
  }
}

void check(VkResult result, const char* call) {
  if (result != VK_SUCCESS) throw DeviceError(Api::vulkan, error_kind(result), call, result_name(result));
}

void require(bool condition, const std::string& why) {
  if (!condition) throw std::invalid_argument("vulkan: " + why);
}

}  // namespace percycle::vulkan
