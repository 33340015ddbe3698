#pragma once

#include <string_view>

namespace percycle {

/// The origin of a device's numbers. No chart mixes them up.
enum class Source { measured, simulated, published };

/// "measured", "simulated", "published".
std::string_view to_string(Source source);

}  // namespace percycle
