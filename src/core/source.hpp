#pragma once

#include <span>
#include <string_view>

#include "core/words.hpp"

namespace percycle {

/// The origin of a device's numbers. No chart mixes them up.
enum class Source { measured, simulated, published };

/// "measured", "simulated", "published".
std::string_view to_string(Source source);

std::span<const Word<Source>> words(Source);

}  // namespace percycle
