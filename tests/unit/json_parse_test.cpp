#include "json/parse.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "check_words.hpp"

namespace percycle::json_parse_test {
namespace {

using nlohmann::json;

TEST_CASE("every kind of value is read as it is written") {
  const json value = parse_json(
      R"( {"a": [true, false, null], "b": {"c": "x\"\u00b5\n", "": {}}, "whole": 18446744073709551615, "below": -9223372036854775808,
          "zero": -0, "tenth": 0.1, "tiny": 5e-324, "wide": 18446744073709551616, "round": 1.0, "none": [], "nil": 0.0e5} )");
  CHECK(value.size() == 11);
  CHECK(value["a"] == json{true, false, nullptr});
  CHECK(value["b"]["c"] == "x\"µ\n");
  CHECK(value["b"][""] == json::object());
  CHECK(value["whole"].is_number_unsigned());
  CHECK(value["whole"] == std::numeric_limits<std::uint64_t>::max());
  CHECK(value["below"].is_number_integer());
  CHECK(value["below"] == std::numeric_limits<std::int64_t>::min());
  CHECK(value["zero"] == 0);
  CHECK(value["tenth"].get<double>() == 0.1);
  CHECK(value["tiny"].get<double>() == 5e-324);
  CHECK(value["wide"].is_number_float());
  CHECK(value["wide"].get<double>() == 0x1p64);
  CHECK(value["round"].is_number_float());
  CHECK(value["none"] == json::array());
  CHECK(value["nil"].get<double>() == 0);
  CHECK(parse_json("[[1, {\"a\": [2]}], 3]") == json::parse("[[1, {\"a\": [2]}], 3]"));
  CHECK(parse_json(R"({"a": {"b": 1}, "c": 2})") == json::parse(R"({"a": {"b": 1}, "c": 2})"));
}

TEST_CASE("invalid JSON is refused, naming the byte") {
  const auto refuses = [&](const std::string& text, const std::string& start) {
    CAPTURE(text.substr(0, 80));
    try {
      static_cast<void>(parse_json(text));
      FAIL_CHECK("read");
    } catch (const std::invalid_argument& error) {
      CAPTURE(error.what());
      CHECK(std::string(error.what()).starts_with("not JSON: " + start));
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
  refuses("[\"tab\tin a text\"]", "byte 6: ");
  refuses("[\"\\ud800\"]", "byte ");      // half a character
  refuses("[\"\xff\"]", "byte 3: ");      // no UTF-8
  refuses("[\"\xc0\x80\"]", "byte 3: ");  // nor this, a zero written too long
  refuses("\xef\xbb\xbf{}", "byte 1: a byte order mark");
  refuses(std::string("{}\0", 3), "byte 3: a zero byte");
  refuses(std::string("{\"a\0\": 1}", 9), "byte ");
  refuses("[1e999]", "byte 6: number overflow");
  refuses("[1.9e308]", "byte 8: number overflow");
  refuses("[1e-999]", "1e-999 is too small for a number");
}

TEST_CASE("a text that would take disproportionate memory is refused") {
  CHECK(parse_json(std::string(64, '[') + std::string(64, ']')).size() == 1);
  CHECK_THROWS_WORDS("json.too-deep", std::invalid_argument, parse_json(std::string(1'000'000, '[')));
  std::string many = "[0";
  for (int i = 0; i < 999'998; ++i) many += ",0";
  CHECK(parse_json(many + "]").size() == 999'999);
  CHECK_THROWS_WORDS("json.too-many-values", std::invalid_argument, parse_json(many + ",0]"));
}

TEST_CASE("a member that appears twice is refused at any place") {
  CHECK_THROWS_WITH_AS(parse_json(R"({"a": 1, "b": 2, "a": 3})"), "'a' appears twice", std::invalid_argument);
  CHECK_THROWS_WITH_AS(parse_json(R"([{"map": {"x": "1", "x": "2"}}])"), "'x' appears twice", std::invalid_argument);
  CHECK(parse_json(R"([{"x": 1}, {"x": {"x": 2}}])").size() == 2);
}

}  // namespace
}  // namespace percycle::json_parse_test
