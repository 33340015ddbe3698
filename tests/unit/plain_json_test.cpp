#include "device/plain_json.hpp"

#include <doctest/doctest.h>

#include <charconv>
#include <cstdint>
#include <string>
#include <vector>

#include "core/random.hpp"

namespace percycle {
namespace {

bool is_plain(const std::string& text) {
  std::vector<JsonNode> nodes;
  return read_plain_json(text, nodes);
}

/// The only item of a list, read by one pass; one that is null where it was not read.
JsonNode plain_item(const std::string& text) {
  std::vector<JsonNode> nodes;
  return read_plain_json("[" + text + "]", nodes) && nodes.size() == 2 ? nodes[1] : JsonNode();
}

TEST_CASE("what percycle writes is plain") {
  const std::string text = R"({"a":[1,-2,0.5,true,false,null],"b":{"c":"x y"}, "d" : [ ] , "e":{}})";
  std::vector<JsonNode> nodes;
  REQUIRE(read_plain_json(text, nodes));
  const JsonValue value(nodes.front());
  CHECK(value.size() == 4);
  CHECK(value.find("a")->size() == 6);
  CHECK(value.find("b")->find("c")->text() == "x y");
  CHECK(value.find("d")->size() == 0);
  CHECK(value.find("e")->is_object());
  CHECK(nodes.front().span == nodes.size());
  CHECK(is_plain(std::string(64, '[') + std::string(64, ']')));
}

TEST_CASE("all else is left to the library, JSON or not") {
  for (const char* text : {"",
                           " ",
                           "[",
                           "]",
                           "[1",
                           "[1,",
                           "[1,]",
                           "[,1]",
                           "[1 2]",
                           "{\"a\"}",
                           "{\"a\":}",
                           "{\"a\":1,}",
                           "{a:1}",
                           "{\"a\" 1}",
                           "[1}",
                           "{} {}",
                           "tru",
                           "nul",
                           "truth",
                           "\"a",
                           "\"\\n\"",
                           "\"\xc2\xb5\"",
                           "\"\t\"",
                           "+1",
                           "01",
                           "-",
                           "-01",
                           ".5",
                           "1.",
                           "1.e5",
                           "1e",
                           "1e+",
                           "1e100",
                           "1e-100",
                           "NaN",
                           "18446744073709551616",
                           "9223372036854775808",
                           "\xef\xbb\xbf{}"}) {
    CAPTURE(text);
    CHECK_FALSE(is_plain(text));
  }
  CHECK_FALSE(is_plain(std::string("{}\0", 3)));
  CHECK_FALSE(is_plain(std::string("\"a\0\"", 4)));
  CHECK_FALSE(is_plain(std::string(65, '[') + std::string(65, ']')));
  CHECK_FALSE(is_plain("0." + std::string(50, '0') + "1"));
}

TEST_CASE("plain numbers are exact") {
  CHECK(plain_item("9223372036854775807").natural == 9223372036854775807);
  CHECK(plain_item("-9223372036854775807").negative == -9223372036854775807);
  CHECK(plain_item("-0").type == JsonNode::Type::natural);
  CHECK(plain_item("1.0").type == JsonNode::Type::real);
  CHECK(plain_item("1e5").real == 1e5);
  CHECK(plain_item("-25E-1").real == -2.5);
  SplitMix64 random(7);
  for (int i = 0; i < 20'000; ++i) {
    // Up to 20 digits, up to 24 of them decimals: some are more than a double holds.
    std::string text = std::to_string(random() >> random() % 64);
    const std::size_t decimals = 1 + random() % 24;
    if (text.size() <= decimals) text.insert(0, decimals + 1 - text.size(), '0');
    text.insert(text.size() - decimals, ".");
    double expected = 0;
    REQUIRE(std::from_chars(text.data(), text.data() + text.size(), expected).ec == std::errc());
    CAPTURE(text);
    CHECK(plain_item(text).type == JsonNode::Type::real);
    CHECK(plain_item(text).real == expected);
    CHECK(plain_item("-" + text).real == -expected);
  }
}

}  // namespace
}  // namespace percycle
