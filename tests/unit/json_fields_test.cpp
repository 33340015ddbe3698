#include "json/fields.hpp"

#include <doctest/doctest.h>

#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string>

#include "check_words.hpp"
#include "json/define_convert.hpp"
#include "json/schema.hpp"
#include "json/stream.hpp"

namespace percycle::json_fields_test {
namespace {

using nlohmann::json;

enum class Colour { red, green };

std::span<const Word<Colour>> words(Colour) {
  static constexpr Word<Colour> kWords[]{{Colour::red, "red"}, {Colour::green, "green"}};
  return kWords;
}

struct Part {
  double size = 0;
  std::optional<std::uint32_t> count;
};

/// One member of each kind.
struct Thing {
  std::string id;
  Colour colour = Colour::red;
  bool is_hot = false;
  std::vector<Part> parts;
  std::map<std::string, WholeOrText> free;
  std::map<std::string, Part> named;
  std::uint64_t spare = 0;
  bool left = false;
  bool right = false;
  bool is_second = false;
  std::optional<Part> either_part;
  std::string inner;
};

constexpr Rule kLetters{.pattern = "^[a-c]+$"};
constexpr std::array<std::string_view, 1> kListed{"big"};
constexpr Rule kAboveNone{.above = 0};

void fields(auto& v, Like<Part> auto& part) {
  v.called("part", "a part");
  v.required("size", part.size, kAboveNone);
  v.optional("count", part.count, {.at_least = 2});
}

void fields(auto& v, Like<Thing> auto& thing) {
  v.constant("kind", "thing");
  v.required("id", thing.id, kLetters);
  v.required("colour", thing.colour);
  v.where(thing.colour == Colour::red, "hot", thing.is_hot);
  v.optional("parts", thing.parts, {.about = "all of them", .fewest = 2});
  v.optional("free", thing.free, {.names = &kLetters});
  v.object("named", [&](auto& named) {
    named.entries(thing.named, kLetters.with(""), {}, [](auto& each, std::string_view, auto& part) { fields(each, part); });
  });
  v.optional("spare", thing.spare);
  v.flags("sides", {{"left", thing.left}, {"right", thing.right}});
  v.by_flag({"first", "second"}, thing.is_second, thing.either_part);
  v.optional("inner", thing.inner);
  v.also(thing.inner != thing.id, "inner", "is the id", R"({"minProperties": 4})");
}

/// Two forms, distinguished by a member or by the names of all members.
struct Forms {
  bool is_first = false;
  std::uint32_t a = 0;
  std::uint32_t b = 0;
};

void fields(auto& v, Like<Forms> auto& forms) {
  v.either(
      {{}, {"a", "extra"}}, forms.is_first, [&](auto& first) { first.required("a", forms.a); },
      [&](auto& second) { second.required("b", forms.b); });
}

json least() { return {{"kind", "thing"}, {"id", "abc"}, {"colour", "green"}, {"named", json::object()}}; }

Thing full() {
  Thing thing;
  thing.id = "abc";
  thing.parts = {{1.5, 2}, {0.1 + 0.2, {}}};
  thing.free = {{"a", "text"}, {"b", INT64_MIN}};
  thing.named = {{"c", {1, {}}}};
  thing.spare = std::numeric_limits<std::uint64_t>::max();
  thing.right = true;
  thing.is_second = true;
  thing.either_part = Part{1, 7};
  thing.inner = "x";
  return thing;
}

std::string refusal(const json& value) {
  try {
    static_cast<void>(from_json<Thing>(value));
    return {};
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

/// The fault of a minimal object whose member at this place has this value.
std::string refusal(const char* path, json value) {
  json changed = least();
  changed[json::json_pointer(path)] = std::move(value);
  return refusal(changed);
}

TEST_CASE("declared members: written values are read again, and empty ones have no key") {
  const json written = to_json(full());
  CHECK(written == json::parse(R"({"kind": "thing", "id": "abc", "colour": "red", "hot": false,
    "parts": [{"size": 1.5, "count": 2}, {"size": 0.30000000000000004}], "free": {"a": "text", "b": -9223372036854775808},
    "named": {"c": {"size": 1.0}}, "spare": 18446744073709551615, "sides": ["right"], "second": {"size": 1.0, "count": 7}, "inner": "x"})"));
  CHECK(to_json(from_json<Thing>(written)) == written);
  Thing bare;
  bare.id = "abc";
  bare.colour = Colour::green;
  CHECK(to_json(bare) == least());
  CHECK(to_json(from_json<Thing>(least())) == least());
}

TEST_CASE("declared members: reading refuses undeclared members, naming the place") {
  CHECK(refusal(least()).empty());
  CHECK_WORDS("json.line-no-object", refusal(json::array()));
  CHECK_WORDS("json.unknown-extra", refusal("/extra", 1));
  CHECK_WORDS("json.unknown-hot", refusal("/hot", true));
  CHECK_WORDS("json.missing-hot", refusal("/colour", "red"));
  CHECK_WORDS("json.not-a-colour", refusal("/colour", "blue"));
  CHECK_WORDS("json.colour-not-text", refusal("/colour", 1));
  CHECK(refusal("/kind", "other") == "kind: not thing");
  CHECK_WORDS("json.id-pattern", refusal("/id", "abd"));
  CHECK_WORDS("json.empty-id", refusal("/id", ""));
  CHECK_WORDS("json.too-few-parts", refusal("/parts", json::array({{{"size", 1}}})));
  CHECK_WORDS("json.parts-not-list", refusal("/parts", 1));
  CHECK_WORDS("json.size-0", refusal("/parts", json::array({{{"size", 1}}, {{"size", 0}}})));
  CHECK_WORDS("json.part-without-size", refusal("/parts", json::array({{{"size", 1}}, json::object()})));
  CHECK_WORDS("json.free-key", refusal("/free/d", 1));
  CHECK_WORDS("json.free-not-object", refusal("/free", json::array()));
  CHECK_WORDS("json.free-value", refusal("/free/a", 1.5));
  CHECK_WORDS("json.free-too-large", refusal("/free/a", 9223372036854775808u));
  CHECK_WORDS("json.free-double-too-large", refusal("/free/a", 9223372036854775808.0));
  CHECK(refusal("/free/a", INT64_MIN).empty());
  CHECK_WORDS("json.named-not-number", refusal("/named/a/size", "1"));
  CHECK_WORDS("json.named-without-size", refusal("/named/a/count", 1));
  CHECK_WORDS("json.named-key", refusal("/named/d/size", 1));
  CHECK_WORDS("json.not-a-side", refusal("/sides", json{"left", "up"}));
  CHECK_WORDS("json.inner-rule", refusal("/inner", "abc"));
  CHECK(refusal("/first", {{"size", 1}}).empty());
  json both = least();
  both["first"] = both["second"] = {{"size", 1}};
  CHECK_WORDS("json.unknown-first", refusal(both));
}

TEST_CASE("declared members: a whole number has no fraction and fits its type, as JSON Schema has it") {
  const auto count = [](const json& value) { return refusal("/first", {{"size", 1}, {"count", value}}); };
  CHECK(count(2).empty());
  CHECK(count(2.0).empty());
  CHECK(count(4294967295.0).empty());
  CHECK_WORDS("json.count-below-2", count(1));
  CHECK_WORDS("json.count-below-0", count(-1));
  CHECK_WORDS("json.count-not-whole", count(2.5));
  CHECK_WORDS("json.count-not-whole", count(true));
  CHECK_WORDS("json.count-too-large", count(4294967296));
  CHECK(refusal("/spare", 18446744073709551615u).empty());
  CHECK_WORDS("json.spare-too-large", refusal("/spare", 18446744073709551616.0));
}

TEST_CASE("declared members: writing refuses the same values as reading") {
  const auto refuses = [](auto change, const char* message) {
    Thing thing = full();
    change(thing);
    CHECK_THROWS_WITH_AS(to_json(thing), message, std::invalid_argument);
  };
  refuses([](Thing& thing) { thing.id = "d"; }, "id: 'd' does not fit ^[a-c]+$");
  refuses([](Thing& thing) { thing.parts.pop_back(); }, "parts: 1 items, not at least 2");
  refuses([](Thing& thing) { thing.parts[1].size = 0; }, "parts[1].size: 0 is not above 0");
  refuses([](Thing& thing) { thing.parts[0].size = std::numeric_limits<double>::infinity(); },
          "parts[0].size: not a finite number");
  refuses([](Thing& thing) { thing.parts[0].count = 1; }, "parts[0].count: 1 is below 2");
  refuses([](Thing& thing) { thing.free["d"] = "x"; }, "free: 'd' does not fit ^[a-c]+$");
  refuses([](Thing& thing) { thing.named["d"] = {1, {}}; }, "named: 'd' does not fit ^[a-c]+$");
  refuses([](Thing& thing) { thing.named["c"].size = -1; }, "named.c.size: -1 is not above 0");
  refuses([](Thing& thing) { thing.inner = thing.id; }, "inner: is the id");
}

TEST_CASE("declared members: an object of two forms is read by the one that its members match") {
  CHECK(from_json<Forms>(json{{"a", 1}}).a == 1);
  CHECK(from_json<Forms>(json{{"b", 2}}).b == 2);
  CHECK(to_json(Forms{true, 1, 2}) == json{{"a", 1}});
  CHECK(to_json(Forms{false, 1, 2}) == json{{"b", 2}});
  CHECK_THROWS_WORDS("json.unknown-a", std::invalid_argument, from_json<Forms>(json{{"a", 1}, {"b", 2}}));
  CHECK_THROWS_WORDS("json.unknown-extra", std::invalid_argument, from_json<Forms>(json{{"a", 1}, {"extra", 2}}));
  const When by_member{"kind", {"x", "y"}};
  CHECK(by_member.holds(json{{"kind", "y"}}));
  CHECK_FALSE(by_member.holds(json{{"kind", "z"}}));
  CHECK_FALSE(by_member.holds(json{{"kind", 1}}));
  CHECK_FALSE(by_member.holds(json::object()));
}

TEST_CASE("declared members: the schema says all of it") {
  nlohmann::ordered_json definitions;
  FieldSchema schemas(definitions);
  CHECK(json(schemas.schema_of<Thing>(kNoRule)) == json::parse(R"({"type": "object", "additionalProperties": false,
    "required": ["kind", "id", "colour", "named"],
    "properties": {
      "kind": {"const": "thing"},
      "id": {"type": "string", "pattern": "^[a-c]+$"},
      "colour": {"enum": ["red", "green"]},
      "hot": {"type": "boolean"},
      "parts": {"type": "array", "items": {"$ref": "#/definitions/part"}, "minItems": 2, "description": "all of them"},
      "free": {"type": "object", "propertyNames": {"type": "string", "pattern": "^[a-c]+$"},
               "additionalProperties": {"type": ["integer", "string"], "minimum": -9223372036854775808, "maximum": 9223372036854775807}},
      "named": {"type": "object", "properties": {}, "propertyNames": {"type": "string", "pattern": "^[a-c]+$"},
                "additionalProperties": {"$ref": "#/definitions/part"}},
      "spare": {"type": "integer", "minimum": 0, "maximum": 18446744073709551615},
      "sides": {"type": "array", "items": {"enum": ["left", "right"]}},
      "first": {"$ref": "#/definitions/part"},
      "second": {"$ref": "#/definitions/part"},
      "inner": {"type": "string"}},
    "not": {"required": ["first", "second"]},
    "allOf": [{"minProperties": 4}]})"));
  CHECK(json(definitions) == json::parse(R"({"part": {"type": "object", "additionalProperties": false, "description": "a part",
    "properties": {"size": {"type": "number", "exclusiveMinimum": 0, "maximum": 1000000000000000000}, "count": {"type": "integer", "minimum": 2, "maximum": 4294967295}},
    "required": ["size"]}})"));
  CHECK(json(schemas.schema_of<Forms>(kNoRule)) == json::parse(R"({"if": {"propertyNames": {"enum": ["a", "extra"]}},
    "then": {"type": "object", "additionalProperties": false, "required": ["a"], "properties": {"a": {"type": "integer", "minimum": 0, "maximum": 4294967295}}},
    "else": {"type": "object", "additionalProperties": false, "required": ["b"], "properties": {"b": {"type": "integer", "minimum": 0, "maximum": 4294967295}}}})"));
}

/// Output only, with the declarations that have no reader.
struct Output {
  std::vector<Part> parts;
  std::map<std::string, Part> named;
  std::variant<std::monostate, std::int64_t, double, std::string_view> value;
  double ratio = 0;
  bool has_extra = false;
  const Part* extra = nullptr;
};

void fields(auto& v, Like<Output> auto& output) {
  v.constant("schema", 1);
  v.required("a", output.value, kComputed);
  v.required("ratio", output.ratio, kComputed);
  v.object_where(output.has_extra, "extra", [&](auto& extra) { extra.required("size", value_behind(output.extra).size); });
  v.items("parts", output.parts, [](auto& each, const Part& part) { fields(each, part); });
  v.optional_items("again", output.parts, [](auto& each, const Part& part) { each.required("twice", 2 * part.size); });
}

/// The same with the parts that only streams have.
struct StreamedOutput : Output {};

void fields(auto& v, Like<StreamedOutput> auto& output) {
  v.required("z", output.ratio);
  fields(v, static_cast<const Output&>(output));
  v.object("named", [&](auto& named) {
    named.entries(output.named, kLetters, {}, [](auto& each, std::string_view, const auto& part) { fields(each, part); });
  });
  v.required("b", true);
  v.rows(
      "rows", output.parts,
      [](const Part& part) {
        return std::vector<double>{part.size, 1 / part.size};
      },
      kAllComputed);
}

std::string streamed(const StreamedOutput& output) {
  std::ostringstream text;
  FieldStream stream(text);
  fields(stream, output);
  stream.finish();
  return text.str();
}

TEST_CASE("declared output: lists of items, alternatives, numbers without bounds, conditional objects") {
  CHECK(to_json(Output()).dump() == R"({"a":null,"parts":[],"ratio":0.0,"schema":1})");
  const Part part{3, {}};
  Output output{{part}, {}, "x", -1e300, true, &part};
  CHECK(to_json(output).dump() ==
        R"({"a":"x","again":[{"twice":6.0}],"extra":{"size":3.0},"parts":[{"size":3.0}],"ratio":-1e+300,"schema":1})");
  output.value = 1 / 0.0;
  CHECK(to_json(output)["a"].dump() == "null");
  output.value = std::int64_t{-3};
  CHECK(to_json(output)["a"] == -3);
  output.parts.push_back({-1, {}});
  CHECK_THROWS_WORDS("json.size-negative", std::exception, to_json(output));
}

TEST_CASE("declared output: the schema") {
  nlohmann::ordered_json definitions;
  FieldSchema schemas(definitions);
  CHECK(json(schemas.schema_of<Output>(kNoRule)) == json::parse(R"({"type": "object", "additionalProperties": false,
    "required": ["schema", "a", "ratio", "parts"], "properties": {
      "schema": {"const": 1},
      "a": {"anyOf": [{"type": "null"}, {"type": "integer"}, {"type": "number"}, {"type": "string"}]},
      "ratio": {"type": "number"},
      "extra": {"type": "object", "additionalProperties": false, "required": ["size"], "properties":
        {"size": {"type": "number", "minimum": -1000000000000000000, "maximum": 1000000000000000000}}},
      "parts": {"type": "array", "items": {"$ref": "#/definitions/part"}},
      "again": {"type": "array", "items": {"type": "object", "additionalProperties": false, "required": ["twice"], "properties":
        {"twice": {"type": "number", "minimum": -1000000000000000000, "maximum": 1000000000000000000}}}}}})"));
  CHECK(json(schemas.schema_of<StreamedOutput>(kNoRule))["properties"]["rows"] ==
        json::parse(R"({"type": "array", "items": {"type": "array", "items": {"type": "number"}}})"));
}

TEST_CASE("declared output: a stream has items, entries and rows on lines, and the members before them") {
  CHECK(streamed({}) ==
        R"({"schema":1,"z":0.0,"a":null,"ratio":0.0,"parts":[
],"named":{},"b":true,"rows":[]})");
  StreamedOutput output;
  output.parts = {{2, {}}, {4, 5}};
  output.named = {{"a", {1, {}}}, {"b", {2, {}}}};
  CHECK(streamed(output) ==
        R"({"schema":1,"z":0.0,"a":null,"ratio":0.0,"parts":[
{"size":2.0},
{"count":5,"size":4.0}
],"again":[
{"twice":4.0},
{"twice":8.0}
],"named":{
"a":{"size":1.0},
"b":{"size":2.0}},"b":true,"rows":[
[2.0,0.5],
[4.0,0.25]]})");
}

TEST_CASE("declared members: a pattern is held to its characters and their number") {
  CHECK(matches("^[a-c_-]+$", "ab-_c"));
  CHECK_FALSE(matches("^[a-c_-]+$", ""));
  CHECK_FALSE(matches("^[a-c_-]+$", "abd"));
  CHECK(matches("^[0-9a-f]{4}$", "09af"));
  for (const char* text : {"09a", "09aff", "09ag", ""}) CHECK_FALSE(matches("^[0-9a-f]{4}$", text));
  CHECK(matches("^[0-9]{2}-[0-9]{1}Z$", "12-3Z"));
  for (const char* text : {"12-3", "12-3ZZ", "1-3Z", "123Z", "12-3z"}) CHECK_FALSE(matches("^[0-9]{2}-[0-9]{1}Z$", text));
}

}  // namespace
}  // namespace percycle::json_fields_test
