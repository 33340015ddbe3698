#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "device/vulkan/describe.hpp"
#include "device/vulkan/instance.hpp"
#include "device/vulkan/physical_device.hpp"
#include "device/vulkan/vulkan.hpp"

namespace percycle {
namespace {

/// Asks only hosts with several devices: drivers for one device leave the query untested.
std::vector<PeerDevice> peers(const vulkan::Instance& instance, const std::vector<VkPhysicalDevice>& devices,
                              std::uint32_t index) {
  if (devices.size() < 2) return {};
  std::vector<PeerDevice> others;
  for (const VkPhysicalDevice member : instance.group_of(devices[index])) {
    const auto place = static_cast<std::uint32_t>(std::ranges::find(devices, member) - devices.begin());
    if (place == index || place == devices.size()) continue;
    const DeviceInfo info = vulkan::describe(vulkan::query(member), place);
    others.push_back({.index = place, .name = info.name, .pci = info.pci});
  }
  return others;
}

}  // namespace

void enumerate_vulkan(const EnumerationSink& sink) {
  const auto problem = [&sink](const std::string& where, const DeviceError& error) {
    sink.problem({Api::vulkan, where, error.what()});
  };
  std::shared_ptr<const vulkan::Instance> instance;
  std::vector<VkPhysicalDevice> devices;
  try {
    instance = vulkan::shared_instance();
    devices = instance->physical_devices();
  } catch (const DeviceError& error) {
    problem("loader", error);
    return;
  }
  for (std::uint32_t index = 0; index < devices.size(); ++index) {
    std::optional<DeviceInfo> info;
    try {
      info = vulkan::describe(vulkan::query(devices[index]), index);
      info->peers = peers(*instance, devices, index);
    } catch (const DeviceError& error) {
      problem(fmt::format("device {}", index), error);
    }
    if (info) sink.device(std::move(*info));
  }
}

}  // namespace percycle
