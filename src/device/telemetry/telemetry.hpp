#pragma once

#include <filesystem>
#include <string>

#include "device/info.hpp"
#include "device/telemetry_recorder.hpp"

namespace percycle {

/// Where telemetry is looked for.
struct TelemetryPlaces {
  std::string nvml = "libnvidia-ml.so.1";
  std::filesystem::path sysfs = "/sys";
};

/// The telemetry of a graphics card: NVIDIA's by NVML, AMD's and Intel's by what Linux shows in sysfs. A CPU's is not looked for, nor a
/// simulated device's.
Telemetry find_telemetry(const DeviceInfo& device, const TelemetryPlaces& places = {});

}  // namespace percycle
