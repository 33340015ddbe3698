#pragma once

#include <volk.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "device/driver_answers.hpp"
#include "device/error.hpp"

namespace percycle::vulkan {

/// "VK_ERROR_DEVICE_LOST"; "VkResult N" for an unknown code.
std::string result_name(VkResult result);

/// The kind of a failed call.
DeviceError::Kind error_kind(VkResult result);

/// Throws DeviceError naming `call` unless the result is VK_SUCCESS.
void check(VkResult result, const char* call);

/// The same for a call that makes `handle`, which must not be null: "vkCreateFence succeeded but
/// gave no fence". `what` names it in words.
template <typename Handle>
void check_made(VkResult result, const Handle& handle, const char* call, const char* what) {
  check(result, call);
  check_given(Api::vulkan, handle != Handle{}, call, what);
}

/// The list of a call that gives first its length, then its elements: get(count, elements). `blank`
/// is an element before the call. Asks again if the list grew between the two. Throws DeviceError.
template <typename Element, typename Get>
std::vector<Element> listed(const char* call, const Element& blank, Get get) {
  std::vector<Element> elements;
  VkResult result = VK_INCOMPLETE;
  while (result == VK_INCOMPLETE) {
    std::uint32_t count = 0;
    check(get(&count, static_cast<Element*>(nullptr)), call);
    check_count(Api::vulkan, call, count);
    elements.assign(count, blank);
    result = get(&count, elements.data());
    elements.resize(std::min<std::size_t>(count, elements.size()));
  }
  check(result, call);
  return elements;
}

/// Throws std::invalid_argument, with `why`, unless the condition holds.
void require(bool condition, const std::string& why);

}  // namespace percycle::vulkan
