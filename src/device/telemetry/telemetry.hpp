#pragma once

#include <filesystem>
#include <string>

#include "device/info.hpp"
#include "device/telemetry/card_facts.hpp"
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

/// The facts of an NVIDIA GPU by NVML; none of others.
CardFacts find_facts(const DeviceInfo& device, const TelemetryPlaces& places = {});

}  // namespace percycle
