#pragma once

#include <optional>

#include "device/info.hpp"
#include "platform/child.hpp"

namespace percycle {

/// Every device of both APIs, each API asked in a process of its own and both at once. Where one crashes or hangs, each of its drivers is
/// asked alone, so that a broken one costs nothing but itself; it is then named among the problems. Never throws for a driver's fault.
Enumeration enumerate_all();

/// The same device as its driver alone shows it, with the driver's manifest: for one that cannot be opened because another driver crashes or
/// hangs in the process that opens it. Empty where there are no other drivers, or where several devices are alike. Throws UsageError for a
/// wrong PERCYCLE_PATIENCE.
std::optional<DeviceInfo> with_its_driver_alone(const DeviceInfo& device);

/// What a child's environment must hold so that it sees only the driver of `manifest`; empty for an empty manifest.
Environment only_driver(Api api, const std::string& manifest);

}  // namespace percycle
