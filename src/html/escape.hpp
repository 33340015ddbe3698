#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace percycle {

/// The text as HTML shows it, in elements and in quoted attributes.
std::string html_text(std::string_view text);

/// JSON for a script element: nothing in it can end the element, open a comment or end a line of JavaScript.
std::string script_json(const nlohmann::json& value);

}  // namespace percycle
