#include "json/json_tree.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "json/convert.hpp"
#include "store/record_json.hpp"
#include "unit/store_examples.hpp"

namespace percycle::json_tree_test {
namespace {

bool is_plain(const std::string& text) { return JsonTree().parse(text) != nullptr; }

TEST_CASE("a plain text becomes a tree of its values") {
  const std::string text = R"( {"n":3,"m":-4,"x":2.5e1, "t":true,"f":false,"0":null,"s":"a b","l":[1,[2,3],{"k":"v"}],"o":{}} )";
  JsonTree tree;
  const JsonNode* root = tree.parse(text);
  REQUIRE(root != nullptr);
  using ValueKind = JsonNode::ValueKind;
  REQUIRE(root->kind() == ValueKind::object);
  CHECK(root->size() == 9);
  CHECK(root->find("n")->kind() == ValueKind::whole);
  CHECK(root->find("n")->whole() == 3);
  CHECK(root->find("m")->kind() == ValueKind::negative);
  CHECK(root->find("m")->number() == -4);
  CHECK(root->find("x")->kind() == ValueKind::real);
  CHECK(root->find("x")->number() == 25);
  CHECK(root->find("t")->boolean());
  CHECK_FALSE(root->find("f")->boolean());
  CHECK(root->find("0")->kind() == ValueKind::null);
  CHECK(root->find("s")->text() == "a b");
  CHECK(root->find("o")->size() == 0);
  CHECK(root->find("k") == nullptr);  // a member of a member
  std::string names;
  root->each([&](const JsonNode& member) { names += member.name(); });
  CHECK(names == "nmxtf0slo");
  const JsonNode* list = root->find("l");
  REQUIRE(list->kind() == ValueKind::list);
  std::string sizes;
  list->each([&](const JsonNode& item) { sizes += std::to_string(item.size()); });
  CHECK(sizes == "021");
}

TEST_CASE("whatever is not plain is left to the strict parser") {
  CHECK(is_plain("[1,2.5,\"a\"]"));
  for (const char* text : {"",
                           " ",
                           "[1,]",
                           "[1",
                           "[1 2]",
                           "{\"a\":1,}",
                           "{\"a\"}",
                           "{a:1}",
                           "[01]",
                           "[1.]",
                           "[.5]",
                           "[-]",
                           "[1e]",
                           "[+1]",
                           "[nul]",
                           "[1] 2",
                           "\"a",
                           "[1e400]",
                           "[1e-400]",
                           "[18446744073709551616]",
                           "[-9223372036854775809]",
                           "{\"a\":1,\"a\":1}",
                           "[\"a\\n\"]",
                           "[\"\t\"]",
                           "[\"\x7f\"]",
                           "[\"\xc3\xa4\"]",
                           "\xef\xbb\xbf[]",
                           "NaN"}) {
    CAPTURE(text);
    CHECK_FALSE(is_plain(text));
  }
  CHECK_FALSE(is_plain(std::string("[1]\0", 4)));
  CHECK(is_plain(std::string(30, '[') + std::string(30, ']')));
  CHECK_FALSE(is_plain(std::string(60, '[') + std::string(60, ']')));
}

TEST_CASE("a plain line gives the record that the strict reader gives") {
  JsonTree tree;
  PointRecord point = examples::ok(1024, 1);
  Measurement& measurement = point.result.measurement.emplace();
  measurement.samples = {{.ops = 10, .timing = {2.5, 2.0}, .clock = {40, 1.5}}};
  measurement.time_source = "device timer";
  measurement.statistics["ns_per_op"] = {0.2, 0.0, 0.1, 0.3, 1};
  measurement.verified_samples = 1;
  const std::string line = to_line(to_json(Record(point)));
  const auto record = quick_record(line, tree);
  REQUIRE(record);
  CHECK(to_json(*record) == to_json(from_json<Record>(nlohmann::json::parse(line))));
  // Other lines and faults are left to it.
  CHECK_FALSE(quick_record(to_line(to_json(Record(examples::header()))), tree));
  CHECK_FALSE(quick_record("{\"kind\":\"point\"}", tree));
  std::string unknown = line;
  unknown.insert(1, "\"unknown\":1,");
  CHECK_FALSE(quick_record(unknown, tree));
  std::string wrong = line;
  wrong.replace(wrong.find(":1024"), 5, ":-102");
  CHECK_FALSE(quick_record(wrong, tree));
}

}  // namespace
}  // namespace percycle::json_tree_test
