#include "device/telemetry/telemetry.hpp"

#include <fmt/format.h>

#include <utility>

#include "device/identity.hpp"
#include "device/telemetry/amdgpu.hpp"
#include "device/telemetry/intel.hpp"
#include "device/telemetry/nvml.hpp"
#include "device/telemetry/sampler.hpp"

namespace percycle {
namespace {

telemetry::FoundReader find_reader(const DeviceInfo& device, const TelemetryPlaces& places) {
  if (gpu_vendor(device) == "NVIDIA") return telemetry::open_nvml(device, places.nvml.c_str());
  if (gpu_vendor(device) == "AMD") return telemetry::open_amdgpu(device, places.sysfs);
  if (gpu_vendor(device) == "Intel") return telemetry::open_intel(device, places.sysfs);
  return {.reader = nullptr, .source = device.vendor, .reason = "no source is known for this vendor"};
}

}  // namespace

Telemetry find_telemetry(const DeviceInfo& device, const TelemetryPlaces& places) {
  if (device.type == DeviceType::cpu || device.api == Api::sim) return {nullptr, "none: the device is not a graphics card"};
  telemetry::FoundReader found = find_reader(device, places);
  if (!found.reader) return {nullptr, fmt::format("none: {}: {}", found.source, found.reason)};
  return {std::make_unique<telemetry::Sampler>(std::move(found.reader)), found.source};
}

CardFacts find_facts(const DeviceInfo& device, const TelemetryPlaces& places) {
  if (device.api == Api::sim || gpu_vendor(device) != "NVIDIA") return {};
  return telemetry::nvml_facts(device, places.nvml.c_str());
}

}  // namespace percycle
