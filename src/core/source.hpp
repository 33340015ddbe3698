#pragma once

#include <string_view>

namespace percycle {

/// Where a device's numbers come from; no chart shows one as the other.
enum class Source { measured, simulated, published };

/// "measured", "simulated", "published".
std::string_view to_string(Source source);

}  // namespace percycle
