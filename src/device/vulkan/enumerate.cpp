#include <fmt/format.h>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "device/vulkan/describe.hpp"
#include "device/vulkan/instance.hpp"
#include "device/vulkan/physical_device.hpp"
#include "device/vulkan/vulkan.hpp"

namespace percycle {

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
    } catch (const DeviceError& error) {
      problem(fmt::format("device {}", index), error);
    }
    if (info) sink.device(std::move(*info));
  }
}

}  // namespace percycle
