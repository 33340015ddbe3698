#pragma once

#include "json/convert.hpp"
#include "json/fields.hpp"

// Definitions for json/convert.hpp, included only by files that instantiate them.

namespace percycle {

template <typename T>
nlohmann::json to_json(const T& value) {
  return written(value, kNoRule, Place());
}

template <typename T>
T from_json(const nlohmann::json& json) {
  T value;
  read_member(json, value, kNoRule, Place());
  return value;
}

}  // namespace percycle
