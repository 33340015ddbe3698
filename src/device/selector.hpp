#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/info.hpp"

namespace percycle {

/// "opencl:0", "vulkan:1", "sim:t4" or "sim:FILE.toml": the selector that names exactly this device.
std::string selector(const DeviceInfo& info);

/// How to come by a device, for those who have none: one line, without a full stop.
std::string_view driver_advice();

/// What devices are chosen for.
enum class DeviceUse { run, compile };

/// The devices to work on, in enumeration order and each once.
///
/// A selector is "opencl:0" / "vulkan:1", "sim:MODEL" for one of the simulated devices in `enumeration`, a UUID (dashes and "GPU-" optional) or PCI address, which name a card and so its
/// devices through both APIs, or else any part of a name in any case. Without selectors: every GPU, and only where there is none
/// the other devices. `api` leaves out all devices but its own. A simulated device is chosen by its selector only.
///
/// Throws UsageError, in one line, when a selector names nothing, nothing that `api` leaves in, or nothing that can run
/// (DeviceInfo::compile_only) where it shall run; and when there is no device to choose from, with the problems that may be the cause.
std::vector<DeviceInfo> select(const Enumeration& enumeration, const std::vector<std::string>& selectors, std::optional<Api> api,
                               DeviceUse use = DeviceUse::run);

}  // namespace percycle
