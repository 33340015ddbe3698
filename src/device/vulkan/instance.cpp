#include "device/vulkan/instance.hpp"

#include <algorithm>
#include <span>

#include "device/driver_answers.hpp"
#include "device/vulkan/result.hpp"

namespace percycle::vulkan {

Instance::Instance() {
  static const VkResult loader = volkInitialize();
  if (loader != VK_SUCCESS) {
    throw DeviceError(Api::vulkan, DeviceError::Kind::other, "volkInitialize", result_name(loader),
                      "no Vulkan loader on this machine");
  }
  // A 1.0 loader has no vkGetPhysicalDeviceProperties2, which reports clocks and limits.
  if (volkGetInstanceVersion() < VK_API_VERSION_1_1) {
    throw DeviceError(Api::vulkan, DeviceError::Kind::other, "vkEnumerateInstanceVersion",
                      result_name(VK_ERROR_INCOMPATIBLE_DRIVER), "the Vulkan loader is older than 1.1");
  }
  VkApplicationInfo application{};
  application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
  application.pApplicationName = "percycle";
  application.apiVersion = VK_API_VERSION_1_3;
  VkInstanceCreateInfo create{};
  create.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
  create.pApplicationInfo = &application;
  check_made(vkCreateInstance(&create, nullptr, &handle_), handle_, "vkCreateInstance", "instance");
  volkLoadInstanceOnly(handle_);
}

Instance::~Instance() { vkDestroyInstance(handle_, nullptr); }

std::vector<VkPhysicalDevice> Instance::physical_devices() const {
  return listed("vkEnumeratePhysicalDevices", VkPhysicalDevice{},
                [this](std::uint32_t* count, auto* devices) { return vkEnumeratePhysicalDevices(handle_, count, devices); });
}

std::vector<VkPhysicalDevice> Instance::group_of(VkPhysicalDevice device) const {
  std::uint32_t count = 0;
  if (vkEnumeratePhysicalDeviceGroups(handle_, &count, nullptr) != VK_SUCCESS) return {};
  check_count(Api::vulkan, "vkEnumeratePhysicalDeviceGroups", count);
  VkPhysicalDeviceGroupProperties empty{};
  empty.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GROUP_PROPERTIES;
  std::vector<VkPhysicalDeviceGroupProperties> groups(count, empty);
  if (vkEnumeratePhysicalDeviceGroups(handle_, &count, groups.data()) != VK_SUCCESS) return {};
  groups.resize(std::min<std::size_t>(count, groups.size()));
  for (const auto& group : groups) {
    const std::span members(group.physicalDevices, std::min<std::size_t>(group.physicalDeviceCount, VK_MAX_DEVICE_GROUP_SIZE));
    if (std::ranges::find(members, device) != members.end()) return {members.begin(), members.end()};
  }
  return {};
}

std::shared_ptr<const Instance> shared_instance() {
  static const auto* const instance = new std::shared_ptr<const Instance>(std::make_shared<const Instance>());
  return *instance;
}

}  // namespace percycle::vulkan
