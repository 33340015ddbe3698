#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace percycle {

/// JSON for a script element: it can neither end the element nor open a comment nor end a line of
/// JavaScript.
std::string script_json(const nlohmann::json& value);

}  // namespace percycle
