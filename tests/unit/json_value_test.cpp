#include "device/json_value.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "device/json_fields.hpp"

namespace percycle {
namespace {

TEST_CASE("every kind of value is read as it is written") {
  JsonDocument document;
  const JsonValue value = document.parse(
      R"( {"a": [true, false, null], "b": {"c": "x\"\u00b5\n", "": {}}, "whole": 18446744073709551615, "below": -9223372036854775808,
          "zero": -0, "tenth": 0.1, "tiny": 5e-324, "wide": 18446744073709551616, "round": 1.0, "none": []} )");
  REQUIRE(value.is_object());
  CHECK(value.size() == 10);
  std::string keys;
  for (const JsonValue member : value) keys += std::string(member.key()) + " ";
  CHECK(keys == "a b whole below zero tenth tiny wide round none ");

  const JsonValue list = *value.find("a");
  REQUIRE(list.is_list());
  CHECK(list.size() == 3);
  CHECK((*list.begin()).boolean());
  CHECK_FALSE((*++list.begin()).boolean());
  CHECK(value.find("b")->find("c")->text() == "x\"µ\n");
  CHECK(value.find("b")->find("")->size() == 0);
  CHECK_FALSE(value.find("c"));
  CHECK_FALSE(list.find("a"));

  CHECK(value.find("whole")->natural() == std::numeric_limits<std::uint64_t>::max());
  CHECK(value.find("below")->negative() == std::numeric_limits<std::int64_t>::min());
  CHECK(value.find("below")->number() == -0x1p63);
  CHECK_FALSE(value.find("below")->is_natural());
  CHECK(value.find("zero")->natural() == 0);
  CHECK(value.find("tenth")->number() == 0.1);
  CHECK(value.find("tiny")->number() == 5e-324);
  CHECK(value.find("wide")->number() == 0x1p64);
  CHECK_FALSE(value.find("wide")->is_whole());
  CHECK_FALSE(value.find("round")->is_whole());
  CHECK(value.find("round")->number() == 1);
}

TEST_CASE("what is not JSON is refused, naming the byte") {
  JsonDocument document;
  const auto refuses = [&](const std::string& text, const std::string& start) {
    CAPTURE(text.substr(0, 80));
    try {
      document.parse(text);
      FAIL_CHECK("read");
    } catch (const std::invalid_argument& error) {
      CHECK(std::string(error.what()).starts_with(start));
    }
  };
  refuses("", "byte 1: ");
  refuses("hello", "byte 1: ");
  refuses("{} {}", "byte 4: ");
  refuses("[1, 2", "byte 6: ");
  refuses("[01]", "byte 3: ");
  refuses("[+1]", "byte 2: ");
  refuses("[.5]", "byte 2: ");
  refuses("[NaN]", "byte 2: ");
  refuses("[1,]", "byte 4: ");
  refuses("{\"a\" 1}", "byte 6: ");
  refuses("[\"tab\tin a text\"]", "byte ");
  refuses("[\"\\ud800\"]", "byte ");   // half a character
  refuses("[\"\xff\"]", "byte ");      // no UTF-8
  refuses("[\"\xc0\x80\"]", "byte ");  // nor this, a zero written too long
  refuses(std::string("{}\0", 3), "byte 3: A zero byte.");
  refuses(std::string("{\"a\0\": 1}", 9), "byte ");
  refuses("[1e999]", "byte 2: Number too big");
  refuses("[1.9e308]", "byte 2: Number outside of what a double can hold.");
  refuses("[1e-999]", "byte 2: Number outside of what a double can hold.");
  refuses(std::string(65, '[') + std::string(65, ']'), "byte 66: Nested too deeply.");
  refuses(std::string(1'000'000, '['), "byte 66: Nested too deeply.");
  CHECK(document.parse(std::string(64, '[') + std::string(64, ']')).is_list());
}

TEST_CASE("a member that appears twice is refused") {
  JsonDocument document;
  JsonFields fields(document.parse(R"({"a": 1, "b": 2, "a": 3})"), "thing");
  CHECK(fields.number("a") == 1);
  CHECK(fields.number("b") == 2);
  CHECK_THROWS_WITH_AS(fields.finish(), "thing: 'a' appears twice", std::invalid_argument);
  JsonFields texts(document.parse(R"({"map": {"x": "1", "x": "2"}})"), "thing");
  CHECK_THROWS_WITH_AS(texts.text_map("map"), "thing: 'x' appears twice", std::invalid_argument);
}

TEST_CASE("a field beyond the 64th is not known") {
  std::string text = "{";
  for (int i = 0; i < 65; ++i) text += "\"" + std::to_string(i) + "\": 0, ";
  text.replace(text.size() - 2, 2, "}");
  JsonDocument document;
  JsonFields fields(document.parse(text), "thing");
  for (int i = 0; i < 65; ++i) fields.number(std::to_string(i));
  CHECK_THROWS_WITH_AS(fields.finish(), "thing: '64' is not a known field", std::invalid_argument);
}

}  // namespace
}  // namespace percycle
