#pragma once

#include <optional>

#include "device/info.hpp"
#include "platform/child.hpp"

namespace percycle {

/// Every device of both APIs, each API in its own process, both at once. If one crashes or hangs,
/// each of its drivers is queried alone, so that a broken driver affects only itself and appears
/// among the problems. Never throws for a driver's fault.
Enumeration enumerate_all();

/// The same device with its driver's manifest and no other driver, for use if another driver
/// crashes or hangs the process. Empty if there are no other drivers or several similar devices.
/// Throws UsageError for a wrong PERCYCLE_PATIENCE.
std::optional<DeviceInfo> with_its_driver_alone(const DeviceInfo& device);

/// The environment of a child that sees only the driver of `manifest`, all of them if it is empty;
/// with `changes` of its own.
Environment only_driver(Api api, const std::string& manifest, const Environment& changes = {});

}  // namespace percycle
