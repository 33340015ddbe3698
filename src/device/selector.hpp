#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "device/info.hpp"

namespace percycle {

/// "opencl:0", "vulkan:1", "sim:t4" or "sim:FILE.toml": the selector of exactly this device.
std::string selector(const DeviceInfo& info);

/// How to install a driver, in one line without a full stop.
std::string_view driver_advice();

/// The purpose for which devices are selected.
enum class DeviceUse { run, compile };

/// The selected devices in enumeration order, each once; docs/commands.md describes selectors.
/// `api` excludes devices of other APIs. Throws UsageError, in one line, if a selector matches no
/// usable device or if there is none, with the problems that may be the cause.
std::vector<DeviceInfo> select(const Enumeration& enumeration, const std::vector<std::string>& selectors, std::optional<Api> api,
                               DeviceUse use = DeviceUse::run);

}  // namespace percycle
