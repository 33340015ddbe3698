#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace percycle {

/// JSON for a script element: nothing in it can end the element, open a comment or end a line of JavaScript.
std::string script_json(const nlohmann::json& value);

}  // namespace percycle
