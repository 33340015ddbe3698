#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "device/info.hpp"

namespace percycle {

/// Why a kernel cannot reach all of a region of this size: without 64-bit integers offsets have 32
/// bits. Empty if it can.
std::optional<std::string> offsets_unsupported(const DeviceInfo& device, std::uint64_t bytes);

}  // namespace percycle
