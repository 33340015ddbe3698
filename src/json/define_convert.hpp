#pragma once

#include "json/convert.hpp"
#include "json/fields.hpp"

// What json/convert.hpp declares: included only where it is instantiated.

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
