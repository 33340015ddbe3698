#include "device/json_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace percycle {

JsonFields::JsonFields(const nlohmann::json& object, std::string_view where) : object_(object), where_(where) {
  if (!object.is_object()) throw std::invalid_argument(fmt::format("{}: not an object", where));
  asked_.reserve(object.size());
}

const nlohmann::json& JsonFields::required(std::string_view key) {
  const nlohmann::json* value = optional(key);
  if (!value) fail(key, "is missing");
  return *value;
}

const nlohmann::json* JsonFields::optional(std::string_view key) {
  const auto found = object_.find(key);
  if (found == object_.end()) return nullptr;
  asked_.push_back(key);
  return &*found;
}

bool JsonFields::boolean(std::string_view key) {
  const nlohmann::json& value = required(key);
  if (!value.is_boolean()) fail(key, "is not true or false");
  return value.get<bool>();
}

std::optional<std::string> JsonFields::optional_text(std::string_view key) {
  const nlohmann::json* value = optional(key);
  return value ? std::optional(as_text(*value, key)) : std::nullopt;
}

std::optional<double> JsonFields::optional_number(std::string_view key) {
  const nlohmann::json* value = optional(key);
  return value ? std::optional(as_number(*value, key)) : std::nullopt;
}

std::vector<std::string> JsonFields::optional_text_list(std::string_view key) {
  const nlohmann::json* value = optional(key);
  return value ? as_text_list(*value, key) : std::vector<std::string>{};
}

std::map<std::string, std::string> JsonFields::optional_text_map(std::string_view key) {
  const nlohmann::json* value = optional(key);
  return value ? as_text_map(*value, key) : std::map<std::string, std::string>{};
}

void JsonFields::finish() const {
  if (asked_.size() == object_.size()) return;
  for (const auto& [key, value] : object_.items()) {
    if (std::find(asked_.begin(), asked_.end(), key) == asked_.end()) fail(key, "is not a known field");
  }
}

void JsonFields::fail(std::string_view key, std::string_view what) const {
  throw std::invalid_argument(fmt::format("{}: '{}' {}", where_, key, what));
}

std::string JsonFields::as_text(const nlohmann::json& value, std::string_view key) const {
  if (!value.is_string()) fail(key, "is not a text");
  return value.get<std::string>();
}

double JsonFields::as_number(const nlohmann::json& value, std::string_view key) const {
  if (!value.is_number()) fail(key, "is not a number");
  return value.get<double>();
}

const nlohmann::json& JsonFields::as_array(const nlohmann::json& value, std::string_view key) const {
  if (!value.is_array()) fail(key, "is not a list");
  return value;
}

std::vector<std::string> JsonFields::as_text_list(const nlohmann::json& value, std::string_view key) const {
  std::vector<std::string> list;
  for (const nlohmann::json& item : as_array(value, key)) list.push_back(as_text(item, key));
  return list;
}

std::map<std::string, std::string> JsonFields::as_text_map(const nlohmann::json& value, std::string_view key) const {
  if (!value.is_object()) fail(key, "is not an object");
  std::map<std::string, std::string> map;
  for (const auto& [name, item] : value.items()) map.emplace(name, as_text(item, name));
  return map;
}

nlohmann::json finite(double value, std::string_view name) {
  if (!std::isfinite(value)) throw std::invalid_argument(fmt::format("'{}' is not a finite number", name));
  return value;
}

}  // namespace percycle
