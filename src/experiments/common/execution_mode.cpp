#include "experiments/common/execution_mode.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "device/identity.hpp"
#include "device/wgp_mode.hpp"

namespace percycle {
namespace {

constexpr const char* kUnknown = "unknown";

/// The mode that OpenCL's environment requests. No API reports the mode.
std::string observed_wgp_mode(const DeviceInfo& device) {
  return device.api == Api::opencl ? wgp_mode_asked().value_or(kUnknown) : kUnknown;
}

}  // namespace

void require_execution_mode(Point& point, const Options& options) {
  if (const auto size = options[kSubgroupSize]) point.parameters[kSubgroupSize.name] = *size;
  if (const auto& mode = options[kWgpMode]; mode != ParameterSpec::kAutomatic) point.parameters[kWgpMode.name] = mode;
}

std::optional<std::string> wgp_mode_unsupported(const DeviceInfo& device, const Point& point) {
  if (!point.parameters.contains(kWgpMode.name)) return std::nullopt;
  const bool rdna = gpu_vendor(device) == "AMD" && device.compute_capability && device.compute_capability->starts_with("gfx1");
  if (rdna && device.api == Api::opencl) return std::nullopt;
  return "only AMD's OpenCL on RDNA lets the user choose wgp_mode";
}

std::optional<std::uint32_t> required_subgroup_size(const Point& point) {
  if (!point.parameters.contains(kSubgroupSize.name)) return std::nullopt;
  return number<std::uint32_t>(point, kSubgroupSize.name);
}

std::uint32_t largest_group(const DeviceInfo& device, std::optional<std::uint32_t> required) {
  if (!required || !device.max_subgroups) return device.max_group_size;
  const std::uint64_t most = std::uint64_t{*required} * *device.max_subgroups;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(most, device.max_group_size));
}

std::optional<std::string> group_unsupported(const DeviceInfo& device, std::uint32_t group_size,
                                             std::optional<std::uint32_t> required) {
  if (group_size > device.max_group_size) return fmt::format("a work-group has at most {} invocations", device.max_group_size);
  if (!required) return std::nullopt;
  if (!device.subgroup_size_control) return "the API does not let a kernel choose its subgroup size on this device";
  const auto& sizes = device.subgroup_sizes;
  if (std::find(sizes.begin(), sizes.end(), *required) == sizes.end())
    return fmt::format("the device has no subgroup size {}", *required);
  if (const std::uint32_t most = largest_group(device, required); group_size > most)
    return fmt::format("a work-group of subgroups of {} has at most {} invocations", *required, most);
  return std::nullopt;
}

void observe_subgroup_size(Trial& trial, const Device& device) {
  if (const auto code = device.code(*trial.timed.dispatch.kernel); code && code->subgroup_size)
    trial.observed[kSubgroupSize.name] = std::to_string(*code->subgroup_size);
}

void observe_execution(Trial& trial, const Device& device) {
  trial.observed[kSubgroupSize.name] = kUnknown;
  observe_subgroup_size(trial, device);
  if (gpu_vendor(device.info()) == "AMD") trial.observed[kWgpMode.name] = observed_wgp_mode(device.info());
}

}  // namespace percycle
