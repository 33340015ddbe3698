#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace percycle {

/// A declared struct (json/fields.hpp) as JSON. Each struct's file instantiates it. Throws
/// std::invalid_argument "PLACE: MESSAGE" if the value breaks a rule.
template <typename T>
nlohmann::json to_json(const T& value);

/// The inverse of to_json. Accepts only JSON that to_json writes.
template <typename T>
T from_json(const nlohmann::json& json);

/// One line of JSON without its end. Invalid UTF-8 (drivers' names and build logs have it) becomes
/// U+FFFD, because JSON allows no other.
std::string to_line(const nlohmann::json& json);

}  // namespace percycle
