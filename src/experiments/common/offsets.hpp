#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "device/info.hpp"

namespace percycle {

/// Why a kernel cannot reach all of a region of so many bytes: without 64-bit integers its offsets have 32 bits. Empty where it can.
std::optional<std::string> offsets_unsupported(const DeviceInfo& device, std::uint64_t bytes);

}  // namespace percycle
