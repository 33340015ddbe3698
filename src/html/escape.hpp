#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace percycle {

/// JSON for a script element: it can neither end the element nor open a comment nor end a line of
/// JavaScript.
std::string script_json(const nlohmann::json& value);

/// A text for HTML, between tags or in an attribute's quotes.
std::string html_text(std::string_view text);

}  // namespace percycle
