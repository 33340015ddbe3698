#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "device/info.hpp"
#include "device/telemetry_recorder.hpp"
#include "platform/library.hpp"

namespace percycle {

/// The places to search for telemetry.
struct TelemetryPlaces {
  std::string nvml = kNvmlLibrary;
  std::filesystem::path sysfs = "/sys";
};

/// The telemetry of a graphics card: NVIDIA by NVML, AMD and Intel by Linux's sysfs. CPUs and
/// simulated devices have none.
Telemetry find_telemetry(const DeviceInfo& device, const TelemetryPlaces& places = {});

/// The compute capability of an NVIDIA GPU by NVML, for an API without a query for it; empty if
/// unknown.
std::optional<std::string> find_compute_capability(const DeviceInfo& device, const TelemetryPlaces& places = {});

/// The kind of part of a card that an NVIDIA device is, by NVML; empty for a whole card, or if
/// unknown.
std::string find_part(const DeviceInfo& device, const TelemetryPlaces& places = {});

}  // namespace percycle
