#include "experiments/execution_mode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace percycle {
namespace {

constexpr const char* kSubgroupSize = "subgroup_size";
constexpr const char* kUnknown = "unknown";

/// AMD's OpenCL takes the mode of RDNA's work-group processors from its environment ("0": compute units on their own). Nothing else says it.
std::string wgp_mode(const DeviceInfo& device) {
  const char* setting = device.api == Api::opencl ? std::getenv("GPU_ENABLE_WGP_MODE") : nullptr;
  return setting != nullptr ? setting : kUnknown;
}

}  // namespace

ParameterSpec subgroup_size_parameter() {
  return {kSubgroupSize, ParameterSpec::Type::number, {}, "auto", "required subgroup size, where the API allows to choose it"};
}

void require_subgroup_size(Point& point, const Options& options) {
  const auto& wanted = options.value(kSubgroupSize);
  if (wanted != "auto") point.parameters[kSubgroupSize] = std::stoll(wanted);
}

std::optional<std::uint32_t> required_subgroup_size(const Point& point) {
  if (!point.parameters.contains(kSubgroupSize)) return std::nullopt;
  return static_cast<std::uint32_t>(integer(point.parameters, kSubgroupSize));
}

std::optional<std::string> subgroup_size_unsupported(const DeviceInfo& device, std::optional<std::uint32_t> required) {
  if (!required) return std::nullopt;
  if (!device.subgroup_size_control) return "the API does not let a kernel choose its subgroup size on this device";
  const auto& sizes = device.subgroup_sizes;
  if (std::find(sizes.begin(), sizes.end(), *required) != sizes.end()) return std::nullopt;
  return fmt::format("the device has no subgroup size {}", *required);
}

void observe_execution(Trial& trial, const Device& device) {
  const auto code = device.code(*trial.timed.dispatch.kernel);
  trial.observed[kSubgroupSize] = code && code->subgroup_size ? std::to_string(*code->subgroup_size) : kUnknown;
  if (device.info().vendor == "AMD") trial.observed["wgp_mode"] = wgp_mode(device.info());
}

}  // namespace percycle
