#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "json/fields.hpp"

namespace percycle {

/// Makes the JSON Schema (draft 7) of a struct from its declaration in fields(). Named structs
/// become definitions.
class FieldSchema {
 public:
  explicit FieldSchema(nlohmann::ordered_json& definitions);

  void called(std::string_view name, std::string_view about = {});
  void shown(const auto&) {}
  template <typename T>
  void required(const char* name, const T& value, const Rule& rule = kNoRule) {
    optional(name, value, rule);
    schema_["required"].push_back(name);
  }
  template <typename T>
  void optional(const char* name, const T&, const Rule& rule = kNoRule) {
    member(name) = schema_of<T>(rule);
  }
  template <typename T>
  void where(bool, const char* name, const T& value, const Rule& rule = kNoRule) {
    optional(name, value, rule);
  }
  template <typename T>
  void constant(const char* name, const T& value) {
    member(name)["const"] = value;
    schema_["required"].push_back(name);
  }
  void object(const char* name, const auto& fields) {
    member(name) = object_of(fields);
    schema_["required"].push_back(name);
  }
  void object_where(bool, const char* name, const auto& fields) { member(name) = object_of(fields); }
  template <typename L>
  void items(const char* name, const L& list, const auto& fields) {
    optional_items(name, list, fields);
    schema_["required"].push_back(name);
  }
  template <typename L>
  void optional_items(const char* name, const L&, const auto& fields) {
    member(name) = {{"type", "array"},
                    {"items", object_of([&](FieldSchema& inner) { fields(inner, typename L::value_type{}); })}};
  }
  template <typename L, typename F>
  void rows(const char* name, const L&, const F&, const Rule& rule) {
    required(name, std::vector<std::invoke_result_t<F, typename L::value_type>>(), {.each = &rule});
  }
  void flags(const char* name, std::initializer_list<std::pair<std::string_view, bool>> flags);
  template <typename T>
  void by_flag(std::pair<const char*, const char*> names, bool, const T& value, const Rule& rule = kNoRule) {
    optional(names.first, value, rule);
    optional(names.second, value, rule);
    schema_["not"]["required"] = {names.first, names.second};
  }
  template <typename M>
  void entries(const M&, const Rule& names, std::span<const std::string_view> listed, const auto& fields) {
    typename M::mapped_type value;
    schema_["propertyNames"] = text(names);
    for (const auto name : listed) member(name) = object_of([&](FieldSchema& inner) { fields(inner, name, value); });
    schema_["additionalProperties"] = object_of([&](FieldSchema& inner) { fields(inner, "", value); });
  }
  void either(const When& when, bool, const auto& first, const auto& second) {
    const nlohmann::ordered_json about = schema_.value("description", nlohmann::ordered_json());
    schema_ = {{"if", when.schema()}, {"then", object_of(first)}, {"else", object_of(second)}};
    if (about.is_string()) schema_["description"] = about;
  }
  void also(bool, const char* where, const char* message, const char* schema = nullptr);

  /// The schema of a value of this type; a reference if the type has a name.
  template <typename T>
  nlohmann::ordered_json schema_of(const Rule& rule) {
    nlohmann::ordered_json schema;
    if constexpr (Optional<T>) {
      return schema_of<typename T::value_type>(rule);
    } else if constexpr (std::same_as<T, bool>) {
      schema["type"] = "boolean";
    } else if constexpr (Whole<T>) {
      schema = whole(rule, std::numeric_limits<T>::max());
    } else if constexpr (std::same_as<T, double>) {
      schema = number(rule);
    } else if constexpr (Textual<T>) {
      schema = text(rule);
    } else if constexpr (Worded<T>) {
      schema["enum"] = spellings<T>();
    } else if constexpr (std::derived_from<T, WholeOrText>) {
      schema = parameter(rule);
    } else if constexpr (kIsVariant<T>) {
      add_alternatives(schema["anyOf"], rule, static_cast<const T*>(nullptr));
    } else if constexpr (std::is_empty_v<T>) {
      schema["type"] = "null";
    } else if constexpr (std::same_as<T, std::int64_t>) {
      schema["type"] = "integer";
    } else if constexpr (List<T>) {
      schema = {{"type", "array"}, {"items", schema_of<typename T::value_type>(or_none(rule.each))}};
      if (rule.fewest > 0) schema["minItems"] = rule.fewest;
    } else if constexpr (Map<T>) {
      schema = {{"type", "object"}};
      if (rule.names != nullptr) schema["propertyNames"] = text(*rule.names);
      schema["additionalProperties"] = schema_of<typename T::mapped_type>(or_none(rule.each));
      if (rule.fewest > 0) schema["minProperties"] = rule.fewest;
    } else {
      schema = object_of([](FieldSchema& inner) {
        T value;
        fields(inner, value);
      });
    }
    if (!rule.about.empty()) schema["description"] = rule.about;
    return schema;
  }

 private:
  nlohmann::ordered_json& member(std::string_view name) { return schema_["properties"][std::string(name)]; }
  nlohmann::ordered_json object_of(const auto& fields) {
    FieldSchema inner(definitions_);
    fields(inner);
    return inner.take();
  }
  template <typename... T>
  void add_alternatives(nlohmann::ordered_json& all, const Rule& rule, const std::variant<T...>*) {
    for (const nlohmann::ordered_json& one : {schema_of<T>(rule)...}) {
      if (std::find(all.begin(), all.end(), one) == all.end()) all.push_back(one);
    }
  }
  nlohmann::ordered_json take();
  static nlohmann::ordered_json whole(const Rule& rule, std::uint64_t largest);
  static nlohmann::ordered_json number(const Rule& rule);
  static nlohmann::ordered_json parameter(const Rule& rule);
  static nlohmann::ordered_json text(const Rule& rule);

  nlohmann::ordered_json& definitions_;
  nlohmann::ordered_json schema_;
  std::string name_;
};

}  // namespace percycle
