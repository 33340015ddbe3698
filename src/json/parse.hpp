#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace percycle {

/// The value of a JSON text. Throws std::invalid_argument "not JSON: byte N: MESSAGE" for invalid
/// JSON or UTF-8, a number that no double can hold, a repeated member, more than a million values,
/// or more than 64 levels.
nlohmann::json parse_json(std::string_view text);

}  // namespace percycle
