#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace percycle {

/// A declared struct (json/fields.hpp) as JSON. Throws std::invalid_argument "PLACE: WHAT" when it breaks a rule. Each struct's file instantiates it.
template <typename T>
nlohmann::json to_json(const T& value);

/// The inverse, which takes nothing but what that writes.
template <typename T>
T from_json(const nlohmann::json& json);

/// One line of JSON without its end. Bytes that are not UTF-8 (drivers' names and build logs have them) become U+FFFD: JSON holds
/// no others.
std::string to_line(const nlohmann::json& json);

}  // namespace percycle
