#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "device/json_value.hpp"

namespace percycle::examples {

/// Written JSON as it is read again: nlohmann/json writes and changes it, JsonDocument reads it.
class Parsed {
 public:
  explicit Parsed(const nlohmann::json& json) : value_(document_.parse(json.dump())) {}
  explicit Parsed(const std::string& text) : value_(document_.parse(text)) {}
  operator JsonValue() const { return value_; }  // NOLINT(google-explicit-constructor): stands where a JsonValue is asked for

 private:
  JsonDocument document_;
  JsonValue value_;
};

}  // namespace percycle::examples
