#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace percycle {

/// The value of a JSON text. Throws std::invalid_argument "not JSON: byte N: WHAT" for what is not JSON in UTF-8 or holds a number that no
/// double can hold, and for a member that appears twice, more than a million values or more than 64 levels.
nlohmann::json parse_json(std::string_view text);

}  // namespace percycle
