#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/provenance.hpp"
#include "device/json_value.hpp"

namespace percycle {

/// Reads the members of one JSON object strictly: a missing member, a wrong type or (at finish()) a member that nobody asked for
/// throws std::invalid_argument naming it, and so does a member that appears twice. Includes the whole of nlohmann/json, so only .cpp
/// files include this.
class JsonFields {
 public:
  /// `where` names the object in messages, e.g. "device". Both arguments must outlive this.
  JsonFields(JsonValue object, std::string_view where);

  /// The member, whatever it is; throws when absent.
  JsonValue required(std::string_view key);
  /// The member; empty when absent.
  std::optional<JsonValue> optional(std::string_view key);

  std::string text(std::string_view key) { return as_text(required(key), key); }
  bool boolean(std::string_view key);
  double number(std::string_view key) { return as_number(required(key), key); }
  std::optional<std::string> optional_text(std::string_view key);
  std::optional<double> optional_number(std::string_view key);

  template <typename T>
  T unsigned_integer(std::string_view key) {
    return as_unsigned<T>(required(key), key);
  }
  template <typename T>
  std::optional<T> optional_unsigned(std::string_view key) {
    const auto value = optional(key);
    return value ? std::optional<T>(as_unsigned<T>(*value, key)) : std::nullopt;
  }

  std::vector<std::string> text_list(std::string_view key) { return as_text_list(required(key), key); }
  std::map<std::string, std::string> text_map(std::string_view key) { return as_text_map(required(key), key); }
  /// Empty when absent.
  std::vector<std::string> optional_text_list(std::string_view key);
  std::map<std::string, std::string> optional_text_map(std::string_view key);
  template <typename T>
  std::vector<T> unsigned_list(std::string_view key) {
    std::vector<T> list;
    for (const JsonValue item : as_list(required(key), key)) list.push_back(as_unsigned<T>(item, key));
    return list;
  }

  /// A word that `parse` (std::string_view -> std::optional<T>) knows.
  template <typename Parse>
  auto word(std::string_view key, Parse parse) {
    const std::string text = this->text(key);
    const auto value = parse(text);
    if (!value) fail(key, "has the unknown value '" + text + "'");
    return *value;
  }

  /// {"value": .., "provenance": ".."}
  template <typename T>
  std::optional<Sourced<T>> optional_sourced(std::string_view key) {
    const auto member = optional(key);
    if (!member) return std::nullopt;
    JsonFields fields(*member, key);
    Sourced<T> sourced;
    if constexpr (std::is_floating_point_v<T>) {
      sourced.value = fields.number("value");
    } else {
      sourced.value = fields.unsigned_integer<T>("value");
    }
    sourced.provenance = fields.word("provenance", parse_provenance);
    fields.finish();
    return sourced;
  }

  /// Throws when the object has members that were not asked for.
  void finish() const;

  /// Throws std::invalid_argument "WHERE: 'KEY' WHAT".
  [[noreturn]] void fail(std::string_view key, std::string_view what) const;

 private:
  std::string as_text(JsonValue value, std::string_view key) const;
  double as_number(JsonValue value, std::string_view key) const;
  JsonValue as_list(JsonValue value, std::string_view key) const;
  std::vector<std::string> as_text_list(JsonValue value, std::string_view key) const;
  std::map<std::string, std::string> as_text_map(JsonValue value, std::string_view key) const;
  template <typename T>
  T as_unsigned(JsonValue value, std::string_view key) const {
    if (!value.is_natural()) fail(key, "is not a whole number of at least 0");
    if (value.natural() > std::numeric_limits<T>::max()) fail(key, "is too large");
    return static_cast<T>(value.natural());
  }

  JsonValue object_;
  std::string_view where_;
  /// The members that were asked for, a bit for each by its place. No object that is read has more than 64: the rest is never asked for.
  std::uint64_t asked_ = 0;
};

/// `value` as JSON. JSON has no infinity and no NaN, and the library would write null for them: they throw std::invalid_argument.
nlohmann::json finite(double value, std::string_view name);

template <typename T>
nlohmann::json sourced_to_json(const Sourced<T>& sourced, std::string_view name) {
  nlohmann::json json;
  if constexpr (std::is_floating_point_v<T>) {
    json["value"] = finite(sourced.value, name);
  } else {
    json["value"] = sourced.value;
  }
  json["provenance"] = to_string(sourced.provenance);
  return json;
}

}  // namespace percycle
