#include "device/vulkan/logical_device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

#include "device/vulkan/result.hpp"

namespace percycle::vulkan {

namespace {

VkDevice create_device(const PhysicalDevice& physical, const std::map<std::uint32_t, std::uint32_t>& queue_counts) {
  const FeatureRequest request(physical);
  std::vector<const char*> extensions = request.extensions();
  const std::string calibrated = fmt::format("VK_{}_calibrated_timestamps", physical.calibrated_suffix);
  if (!physical.calibrated_suffix.empty()) extensions.push_back(calibrated.c_str());

  constexpr std::array<float, 2> kPriorities{1, 1};
  std::vector<VkDeviceQueueCreateInfo> queues;
  for (const auto& [family, count] : queue_counts) {
    VkDeviceQueueCreateInfo queue{};
    queue.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
    queue.queueFamilyIndex = family;
    queue.queueCount = count;
    queue.pQueuePriorities = kPriorities.data();
    queues.push_back(queue);
  }
  VkDeviceCreateInfo create{};
  create.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  create.pNext = &request.chain();
  create.queueCreateInfoCount = static_cast<std::uint32_t>(queues.size());
  create.pQueueCreateInfos = queues.data();
  create.enabledExtensionCount = static_cast<std::uint32_t>(extensions.size());
  create.ppEnabledExtensionNames = extensions.data();
  VkDevice device = VK_NULL_HANDLE;
  check_made(vkCreateDevice(physical.handle, &create, nullptr, &device), device, "vkCreateDevice", "device");
  return device;
}

}  // namespace

LogicalDevice::LogicalDevice(std::shared_ptr<const Instance> instance, PhysicalDevice physical, DeviceInfo info)
    : instance_(std::move(instance)), physical_(std::move(physical)), info_(std::move(info)) {
  const auto family = compute_family(physical_);
  if (!family || physical_.api_version < VK_API_VERSION_1_1) require_runnable("vkCreateDevice");
  family_ = family.value();
  const std::vector<QueuePlace> copying = vulkan::copy_queues(physical_);
  std::map<std::uint32_t, std::uint32_t> counts{{family_, 1}};
  families_ = {family_};
  const auto add = [&](const QueuePlace& queue) {
    std::uint32_t& count = counts[queue.family];
    if (count == 0) families_.push_back(queue.family);
    count = std::max(count, queue.number + 1);
  };
  for (const QueuePlace& queue : copying) add(queue);
  const auto second = vulkan::second_queue(physical_);
  if (second) add(*second);
  const auto other = vulkan::queue_of_other_family(physical_);
  if (other) add(*other);
  handle_ = create_device(physical_, counts);
  volkLoadDeviceTable(&api_, handle_);
  const auto get = [this](const QueuePlace& place) {
    DeviceQueue queue{place.family, VK_NULL_HANDLE};
    api_.vkGetDeviceQueue(handle_, place.family, place.number, &queue.handle);
    check_made(VK_SUCCESS, queue.handle, "vkGetDeviceQueue", "queue");
    return queue;
  };
  queue_ = get({family_, 0}).handle;
  for (const QueuePlace& queue : copying) copy_queues_.push_back(get(queue));
  if (second) second_queue_ = get(*second);
  if (other) queue_of_other_family_ = get(*other);
  if (physical_.calibrated_suffix.empty()) return;
  const std::string function = "vkGetCalibratedTimestamps" + physical_.calibrated_suffix;
  calibrated_timestamps_ = reinterpret_cast<PFN_vkGetCalibratedTimestampsEXT>(vkGetDeviceProcAddr(handle_, function.c_str()));
}

LogicalDevice::~LogicalDevice() { api_.vkDestroyDevice(handle_, nullptr); }

void LogicalDevice::require_runnable(const char* call) const {
  if (info_.compile_only.empty()) return;
  throw DeviceError(Api::vulkan, DeviceError::Kind::other, call, result_name(VK_ERROR_FEATURE_NOT_PRESENT), info_.compile_only);
}

}  // namespace percycle::vulkan
