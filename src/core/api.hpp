#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "core/words.hpp"

namespace percycle {

/// The programming interface through which a device is reached. `sim` is the simulated device and
/// uses none.
enum class Api { opencl, vulkan, sim };

/// "opencl", "vulkan" or "sim", as used in selectors, records and flags.
std::string_view to_string(Api api);

/// The inverse of to_string; empty when the text names no API.
std::optional<Api> parse_api(std::string_view text);

std::span<const Word<Api>> words(Api);

}  // namespace percycle
