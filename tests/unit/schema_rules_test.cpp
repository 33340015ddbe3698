#include "store/schema_rules.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

namespace percycle {
namespace {

/// What the value breaks of the schema: "PATH: WHAT", or nothing.
std::string broken(const std::string& schema, const std::string& text) {
  SchemaRules rules(schema);
  JsonDocument document;
  const JsonValue value = document.parse(text);
  SchemaViolation violation;
  const bool kept = keeps(rules.root(), value, &violation);
  CHECK(kept == keeps(rules.root(), value, nullptr));
  return kept ? "" : violation.path + ": " + violation.what;
}

TEST_CASE("each keyword refuses what it says, and no other kind of value") {
  const auto check = [](const std::string& schema, const std::string& good, const std::string& bad, const std::string& what) {
    CAPTURE(schema);
    CHECK(broken(schema, good).empty());
    CHECK(broken(schema, bad) == what);
  };
  check(R"({"type": "object"})", "{}", "[]", ": not an object");
  check(R"({"type": "array"})", "[]", "{}", ": not a list");
  check(R"({"type": "string"})", R"("")", "1", ": not a text");
  check(R"({"type": "number"})", "1.5", "null", ": not a number");
  check(R"({"type": "number"})", "1", "true", ": not a number");
  check(R"({"type": "integer"})", "-1", "1.5", ": not a whole number");
  check(R"({"type": "boolean"})", "false", "0", ": not true or false");
  check(R"({"type": ["integer", "string"]})", R"("x")", "1.5", ": not a whole number or a text");
  check(R"({"enum": ["a", "b"]})", R"("b")", R"("c")", ": not a or b");
  check(R"({"const": 1})", "1", "2", ": not 1");
  check(R"({"const": "a"})", R"("a")", "1", ": not a");
  check(R"({"minimum": 0})", "0", "-1", ": -1 is below 0");
  check(R"({"minimum": 0})", R"("text")", "-0.5", ": -0.5 is below 0");
  check(R"({"exclusiveMinimum": 0})", "5e-324", "0", ": 0 is not above 0");
  check(R"({"minLength": 2})", "\"\xc2\xb5\xc2\xb5\"", "\"\xc2\xb5\"", ": a text of 1 characters, not of at least 2");
  check(R"({"pattern": "^[a-c]+$"})", R"("abc")", R"("abd")", ": 'abd' does not fit ^[a-c]+$");
  check(R"({"pattern": "b"})", R"("abc")", R"("ac")", ": 'ac' does not fit b");
  check(R"({"minItems": 1})", "[0]", "[]", ": 0 items, not at least 1");
  check(R"({"items": {"type": "number"}})", "[1, 2]", R"([1, "2"])", "[1]: not a number");
  check(R"({"minProperties": 1})", R"({"a": 1})", "{}", ": 0 members, not at least 1");
  check(R"({"maxProperties": 0})", "{}", R"({"a": 1})", ": 1 members, not at most 0");
  check(R"({"required": ["b", "a"]})", R"({"b": 1, "x": 1, "a": 1})", R"({"b": 1})", ": 'a' is missing");
  check(R"({"properties": {"a": {"type": "number"}}})", R"({"b": "x"})", R"({"b": 1, "a": "x"})", ".a: not a number");
  check(R"({"properties": {"a": {}}, "additionalProperties": false})", R"({"a": 1})", R"({"b": 1})",
        ": 'b' is not a known field");
  check(R"({"properties": {"a": {}}, "additionalProperties": {"type": "number"}})", R"({"a": "x", "b": 1})", R"({"b": "x"})",
        ".b: not a number");
  check(R"({"propertyNames": {"pattern": "^a"}})", R"({"ab": 1})", R"({"b": 1})", ": 'b' does not fit ^a");
  check(R"({"allOf": [{"minimum": 1}, {"minimum": 2}]})", "2", "1", ": 1 is below 2");
  check(R"({"not": {"required": ["a"]}})", R"({"b": 1})", R"({"a": 1})", ": cannot have a");
  check(R"({"if": {"required": ["a"]}, "then": {"required": ["b"]}, "else": {"required": ["c"]}})", R"({"a": 1, "b": 1})",
        R"({"a": 1, "c": 1})", ": 'b' is missing");
  check(R"({"if": {"required": ["a"]}, "then": {"required": ["b"]}, "else": {"required": ["c"]}})", R"({"c": 1})", R"({"b": 1})",
        ": 'c' is missing");
  check(R"({"items": {"$ref": "#/definitions/x"}, "definitions": {"x": {"properties": {"y": {"const": "z"}}}}})",
        R"([{"y": "z"}])", R"([{}, {"y": ""}])", "[1].y: not z");
}

TEST_CASE("members are found in any order") {
  const std::string schema =
      R"({"properties": {"c": {"const": 3}, "a": {"const": 1}, "b": {"const": 2}}, "required": ["c", "a", "b"], "additionalProperties": false})";
  for (const char* text : {R"({"a":1,"b":2,"c":3})", R"({"a":1,"c":3,"b":2})", R"({"b":2,"a":1,"c":3})", R"({"b":2,"c":3,"a":1})",
                           R"({"c":3,"a":1,"b":2})", R"({"c":3,"b":2,"a":1})"}) {
    CAPTURE(std::string(text));
    CHECK(broken(schema, text).empty());
  }
  CHECK(broken(schema, R"({"c":3,"a":1})") == ": 'b' is missing");
  CHECK(broken(schema, R"({"c":3,"b":1,"a":1})") == ".b: not 2");
}

TEST_CASE("an object is held to the rule whatever names the one before it had") {
  SchemaRules rules(
      R"({"properties": {"a": {"type": "number"}}, "required": ["a"], "propertyNames": {"pattern": "^[a-c]$"},
          "additionalProperties": {"type": "string"}})");
  const auto kept = [&](const char* text) {
    JsonDocument document;
    return keeps(rules.root(), document.parse(text), nullptr);
  };
  CHECK_FALSE(kept("{}"));
  for (int again = 0; again < 2; ++again) {
    CHECK(kept(R"({"a": 1, "b": "x"})"));
    CHECK(kept(R"({"a": 2, "b": "y"})"));
    CHECK_FALSE(kept(R"({"a": "1", "b": "x"})"));
    CHECK_FALSE(kept(R"({"a": 1, "b": 2})"));
    CHECK_FALSE(kept(R"({"b": "x", "a": "x"})"));
    CHECK_FALSE(kept(R"({"a": 1, "d": "x"})"));
    CHECK_FALSE(kept(R"({"b": "x"})"));
    CHECK_FALSE(kept("{}"));
    CHECK(kept(R"({"a": 1})"));
  }
}

TEST_CASE("a text that does not fit a pattern is refused again") {
  SchemaPattern pattern("^a+$");
  for (int i = 0; i < 2; ++i) {
    CHECK(pattern.fits("aa"));
    CHECK_FALSE(pattern.fits("ab"));
  }
}

TEST_CASE("a schema with a keyword that is not known is refused, wherever it stands") {
  const auto refuses = [](const std::string& schema, const char* what) {
    CAPTURE(schema);
    CHECK_THROWS_WITH_AS(SchemaRules rules(schema), what, std::invalid_argument);
  };
  refuses(R"({"maximum": 1})", "schema: the keyword 'maximum' is not known here");
  refuses(R"({"properties": {"a": {"items": {"format": "date"}}}})", "schema: the keyword 'format' is not known here");
  refuses(R"({"type": "null"})", "schema: the keyword 'type' holds a type that is not known here");
  refuses(R"({"minimum": "0"})", "schema: the keyword 'minimum' holds what it cannot");
  refuses(R"({"const": null})", "schema: the keyword 'const' holds neither texts nor numbers");
  refuses(R"({"$ref": "#/definitions/x"})", "schema: there is no #/definitions/x");
  refuses(R"({"$ref": "#/definitions/x", "definitions": {"x": {"items": {"$ref": "#/definitions/x"}}}})",
          "schema: #/definitions/x holds itself");
  refuses("[]", "schema: not an object");
}

}  // namespace
}  // namespace percycle
