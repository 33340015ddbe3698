#include "store/schema_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace percycle {
namespace {

[[noreturn]] void fail(JsonValue keyword, std::string_view what) {
  throw std::invalid_argument(fmt::format("schema: the keyword '{}' {}", keyword.key(), what));
}

JsonValue require(JsonValue keyword, bool right) {
  if (!right) fail(keyword, "holds what it cannot");
  return keyword;
}

std::size_t count(JsonValue keyword) { return static_cast<std::size_t>(require(keyword, keyword.is_natural()).natural()); }
double number(JsonValue keyword) { return require(keyword, keyword.is_number()).number(); }
std::string text(JsonValue keyword) { return std::string(require(keyword, keyword.is_text()).text()); }

std::variant<std::string, double> literal(JsonValue keyword, JsonValue value) {
  if (value.is_text()) return std::string(value.text());
  if (!value.is_number()) fail(keyword, "holds neither texts nor numbers");
  return value.number();
}

const SchemaType* type(JsonValue keyword, JsonValue name) {
  const SchemaType* const found = name.is_text() ? find_schema_type(name.text()) : nullptr;
  if (found == nullptr) fail(keyword, "holds a type that is not known here");
  return found;
}

}  // namespace

SchemaRules::SchemaRules(std::string_view text) : schema_(document_.parse(text)), root_(compile(schema_)) {}

SchemaRule* SchemaRules::compile(JsonValue schema) {
  if (!schema.is_object()) throw std::invalid_argument("schema: not an object");
  // Draft 7 ignores whatever stands beside a reference.
  if (const auto reference = schema.find("$ref")) return refer(text(*reference));
  SchemaRule& rule = rules_.emplace_back();
  for (const JsonValue keyword : schema) add_keyword(rule, keyword);
  std::sort(rule.required.begin(), rule.required.end());
  std::sort(rule.properties.begin(), rule.properties.end());
  return &rule;
}

SchemaRule* SchemaRules::refer(std::string_view reference) {
  constexpr std::string_view kWhere = "#/definitions/";
  const auto name = reference.substr(std::min(kWhere.size(), reference.size()));
  const auto definitions = schema_.find("definitions");
  const auto definition = definitions && reference.starts_with(kWhere) ? definitions->find(name) : std::nullopt;
  if (!definition) throw std::invalid_argument(fmt::format("schema: there is no {}", reference));
  const auto [place, is_new] = definitions_.try_emplace(std::string(name), nullptr);
  if (is_new) place->second = compile(*definition);
  if (place->second == nullptr) throw std::invalid_argument(fmt::format("schema: {} holds itself", reference));
  return place->second;
}

void SchemaRules::add_keyword(SchemaRule& rule, JsonValue keyword) {
  for (const auto* silent : {"$schema", "title", "description", "definitions"}) {
    if (keyword.key() == silent) return;
  }
  if (!add_value_keyword(rule, keyword) && !add_member_keyword(rule, keyword) && !add_combining_keyword(rule, keyword)) {
    fail(keyword, "is not known here");
  }
}

bool SchemaRules::add_value_keyword(SchemaRule& rule, JsonValue keyword) {
  const auto name = keyword.key();
  if (name == "type" && keyword.is_list()) {
    for (const JsonValue each : keyword) rule.type.push_back(type(keyword, each));
  } else if (name == "type") {
    rule.type = {type(keyword, keyword)};
  } else if (name == "enum") {
    for (const JsonValue each : require(keyword, keyword.is_list())) rule.values.push_back(literal(keyword, each));
  } else if (name == "const") {
    rule.values = {literal(keyword, keyword)};
  } else if (name == "minimum") {
    rule.minimum = number(keyword);
  } else if (name == "exclusiveMinimum") {
    rule.exclusive_minimum = number(keyword);
  } else if (name == "minLength") {
    rule.min_length = count(keyword);
  } else if (name == "pattern") {
    rule.pattern = std::make_unique<SchemaPattern>(text(keyword));
  } else {
    return false;
  }
  return true;
}

bool SchemaRules::add_member_keyword(SchemaRule& rule, JsonValue keyword) {
  const auto name = keyword.key();
  if (name == "minItems") {
    rule.min_items = count(keyword);
  } else if (name == "items") {
    rule.items = compile(keyword);
  } else if (name == "minProperties") {
    rule.min_properties = count(keyword);
  } else if (name == "maxProperties") {
    rule.max_properties = count(keyword);
  } else if (name == "required") {
    for (const JsonValue each : require(keyword, keyword.is_list())) rule.required.push_back(text(each));
  } else if (name == "properties") {
    for (const JsonValue each : require(keyword, keyword.is_object())) rule.properties.emplace_back(each.key(), compile(each));
  } else if (name == "additionalProperties" && keyword.is_boolean()) {
    rule.no_others = !keyword.boolean();
  } else if (name == "additionalProperties") {
    rule.additional_properties = compile(keyword);
  } else if (name == "propertyNames") {
    rule.property_names = compile(keyword);
  } else {
    return false;
  }
  return true;
}

bool SchemaRules::add_combining_keyword(SchemaRule& rule, JsonValue keyword) {
  const auto name = keyword.key();
  if (name == "allOf") {
    for (const JsonValue each : require(keyword, keyword.is_list())) rule.all_of.push_back(compile(each));
  } else if (name == "not") {
    rule.excluded = compile(keyword);
  } else if (name == "if") {
    rule.condition = compile(keyword);
  } else if (name == "then") {
    rule.then = compile(keyword);
  } else if (name == "else") {
    rule.otherwise = compile(keyword);
  } else {
    return false;
  }
  return true;
}

}  // namespace percycle
