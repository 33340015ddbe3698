#include "device/json_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace percycle {

JsonFields::JsonFields(JsonValue object, std::string_view where) : object_(object), where_(where) {
  if (!object.is_object()) throw std::invalid_argument(fmt::format("{}: not an object", where));
}

JsonValue JsonFields::required(std::string_view key) {
  const auto value = optional(key);
  if (!value) fail(key, "is missing");
  return *value;
}

std::optional<JsonValue> JsonFields::optional(std::string_view key) {
  std::uint64_t bit = 1;
  for (const JsonValue member : object_) {
    if (member.key() == key) {
      asked_ |= bit;
      return member;
    }
    bit <<= 1u;
  }
  return std::nullopt;
}

bool JsonFields::boolean(std::string_view key) {
  const auto value = required(key);
  if (!value.is_boolean()) fail(key, "is not true or false");
  return value.boolean();
}

std::optional<std::string> JsonFields::optional_text(std::string_view key) {
  const auto value = optional(key);
  return value ? std::optional(as_text(*value, key)) : std::nullopt;
}

std::optional<double> JsonFields::optional_number(std::string_view key) {
  const auto value = optional(key);
  return value ? std::optional(as_number(*value, key)) : std::nullopt;
}

std::vector<std::string> JsonFields::optional_text_list(std::string_view key) {
  const auto value = optional(key);
  return value ? as_text_list(*value, key) : std::vector<std::string>{};
}

std::map<std::string, std::string> JsonFields::optional_text_map(std::string_view key) {
  const auto value = optional(key);
  return value ? as_text_map(*value, key) : std::map<std::string, std::string>{};
}

void JsonFields::finish() const {
  if (static_cast<std::size_t>(std::popcount(asked_)) == object_.size()) return;
  std::uint64_t bit = 1;
  for (const JsonValue member : object_) {
    if ((asked_ & bit) == 0) {
      const auto same = [&](JsonValue other) { return other.key() == member.key(); };
      const bool is_second = std::count_if(object_.begin(), object_.end(), same) > 1;
      fail(member.key(), is_second ? "appears twice" : "is not a known field");
    }
    bit <<= 1u;
  }
}

void JsonFields::fail(std::string_view key, std::string_view what) const {
  throw std::invalid_argument(fmt::format("{}: '{}' {}", where_, key, what));
}

std::string JsonFields::as_text(JsonValue value, std::string_view key) const {
  if (!value.is_text()) fail(key, "is not a text");
  return std::string(value.text());
}

double JsonFields::as_number(JsonValue value, std::string_view key) const {
  if (!value.is_number()) fail(key, "is not a number");
  return value.number();
}

JsonValue JsonFields::as_list(JsonValue value, std::string_view key) const {
  if (!value.is_list()) fail(key, "is not a list");
  return value;
}

std::vector<std::string> JsonFields::as_text_list(JsonValue value, std::string_view key) const {
  std::vector<std::string> list;
  list.reserve(value.size());
  for (const JsonValue item : as_list(value, key)) list.push_back(as_text(item, key));
  return list;
}

std::map<std::string, std::string> JsonFields::as_text_map(JsonValue value, std::string_view key) const {
  if (!value.is_object()) fail(key, "is not an object");
  std::map<std::string, std::string> map;
  for (const JsonValue item : value) {
    if (!map.emplace(item.key(), as_text(item, item.key())).second) fail(item.key(), "appears twice");
  }
  return map;
}

nlohmann::json finite(double value, std::string_view name) {
  if (!std::isfinite(value)) throw std::invalid_argument(fmt::format("'{}' is not a finite number", name));
  return value;
}

}  // namespace percycle
