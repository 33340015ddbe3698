#include "json/schema.hpp"

#include <cmath>

namespace percycle {
namespace {

using Json = nlohmann::ordered_json;

/// As an integer if the value is whole.
Json plain(double value) {
  if (std::trunc(value) == value) return static_cast<std::int64_t>(value);
  return value;
}

void add_limits(Json& schema, const Rule& rule) {
  if (rule.at_least) schema["minimum"] = plain(*rule.at_least);
  if (rule.above) schema["exclusiveMinimum"] = plain(*rule.above);
}

}  // namespace

Json When::schema() const {
  if (name.empty()) return {{"propertyNames", {{"enum", values}}}};
  return {{"properties", {{std::string(name), {{"enum", values}}}}}};
}

FieldSchema::FieldSchema(Json& definitions) : definitions_(definitions) {
  schema_ = {{"type", "object"}, {"properties", Json::object()}, {"required", Json::array()}, {"additionalProperties", false}};
}

void FieldSchema::called(std::string_view name, std::string_view about) {
  name_ = name;
  if (!about.empty()) schema_["description"] = about;
}

void FieldSchema::flags(const char* name, std::initializer_list<std::pair<std::string_view, bool>> flags) {
  Json words;
  for (const auto& [word, flag] : flags) words.push_back(word);
  member(name) = {{"type", "array"}, {"items", {{"enum", words}}}};
}

void FieldSchema::also(bool, const char*, const char*, const char* schema) {
  if (schema != nullptr) schema_["allOf"].push_back(Json::parse(schema));
}

Json FieldSchema::take() {
  if (schema_.contains("required") && schema_["required"].empty()) schema_.erase("required");
  if (name_.empty()) return std::move(schema_);
  definitions_[name_] = std::move(schema_);
  return {{"$ref", "#/definitions/" + name_}};
}

Json FieldSchema::whole(const Rule& rule, std::uint64_t largest) {
  Json schema{{"type", "integer"}, {"minimum", 0}, {"maximum", largest}};
  add_limits(schema, rule);
  return schema;
}

Json FieldSchema::number(const Rule& rule) {
  if (rule.unbounded) return {{"type", "number"}};
  Json schema{{"type", "number"}, {"minimum", plain(-kLargestNumber)}, {"maximum", plain(kLargestNumber)}};
  add_limits(schema, rule);
  if (rule.above) schema.erase("minimum");
  return schema;
}

Json FieldSchema::parameter(const Rule& rule) {
  Json schema{{"type", {"integer", "string"}}, {"minimum", INT64_MIN}, {"maximum", INT64_MAX}};
  add_limits(schema, rule);
  return schema;
}

Json FieldSchema::text(const Rule& rule) {
  Json schema{{"type", "string"}};
  if (rule.fewest > 0) schema["minLength"] = rule.fewest;
  if (rule.longest > 0) schema["maxLength"] = rule.longest;
  if (!rule.pattern.empty()) schema["pattern"] = rule.pattern;
  if (!rule.one_of.empty()) schema["enum"] = rule.one_of;
  return schema;
}

}  // namespace percycle
