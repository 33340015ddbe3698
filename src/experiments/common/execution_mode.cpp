#include "experiments/common/execution_mode.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "device/identity.hpp"
#include "device/wgp_mode.hpp"

namespace percycle {
namespace {

constexpr const char* kSubgroupSize = "subgroup_size";
constexpr const char* kWgpMode = "wgp_mode";
constexpr const char* kUnknown = "unknown";

/// The mode that OpenCL's environment requests. No API reports the mode.
std::string observed_wgp_mode(const DeviceInfo& device) {
  return device.api == Api::opencl ? wgp_mode_asked().value_or(kUnknown) : kUnknown;
}

}  // namespace

ParameterSpec subgroup_size_parameter() {
  return {kSubgroupSize, ParameterSpec::Type::number, {}, "auto", "required subgroup size, if the API can choose it"};
}

ParameterSpec wgp_mode_parameter() {
  return {kWgpMode,
          ParameterSpec::Type::word,
          {"auto", "wgp", "cu"},
          "auto",
          "for AMD RDNA through OpenCL, for the whole run: a work-group runs on both CUs of a WGP (wgp) or on one (cu)"};
}

void require_execution_mode(Point& point, const Options& options) {
  const auto& size = options.value(kSubgroupSize);
  if (size != "auto") point.parameters[kSubgroupSize] = std::stoll(size);
  const auto& mode = options.value(kWgpMode);
  if (mode != "auto") point.parameters[kWgpMode] = mode;
}

std::optional<std::string> wgp_mode_unsupported(const DeviceInfo& device, const Point& point) {
  if (!point.parameters.contains(kWgpMode)) return std::nullopt;
  const bool rdna = gpu_vendor(device) == "AMD" && device.compute_capability && device.compute_capability->starts_with("gfx1");
  if (rdna && device.api == Api::opencl) return std::nullopt;
  return "only AMD's OpenCL on RDNA lets the user choose wgp_mode";
}

std::optional<std::uint32_t> required_subgroup_size(const Point& point) {
  if (!point.parameters.contains(kSubgroupSize)) return std::nullopt;
  return static_cast<std::uint32_t>(integer(point.parameters, kSubgroupSize));
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

void observe_execution(Trial& trial, const Device& device) {
  const auto code = device.code(*trial.timed.dispatch.kernel);
  trial.observed[kSubgroupSize] = code && code->subgroup_size ? std::to_string(*code->subgroup_size) : kUnknown;
  if (gpu_vendor(device.info()) == "AMD") trial.observed[kWgpMode] = observed_wgp_mode(device.info());
}

}  // namespace percycle
