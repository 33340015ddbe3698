#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "device/card_names.hpp"
#include "store/header_names.hpp"
#include "unit/store_examples.hpp"

namespace percycle::card_names_test {
namespace {

using Names = std::vector<std::string>;

TEST_CASE("card names: a name that one card has stays, through both APIs") {
  CHECK(card_names({{"H200", "uuid:a", "0000:06:00.0"}, {"H200", "uuid:a"}, {"llvmpipe", "cpu:x"}, {"pocl", "cpu:x"}}) ==
        Names{"H200", "H200", "llvmpipe", "pocl"});
  CHECK(card_names({}).empty());
}

TEST_CASE("card names: cards of one name have their PCI address, which one API may tell for both") {
  CHECK(card_names(
            {{"H200", "uuid:a", "0000:06:00.0"}, {"H200", "uuid:b", "0001:07:00.0"}, {"H200", "uuid:a"}, {"T4", "uuid:c"}}) ==
        Names{"H200 06:00.0", "H200 0001:07:00.0", "H200 06:00.0", "T4"});
}

TEST_CASE("card names: cards without an address, or with the same one, have numbers") {
  CHECK(card_names({{"H200", "uuid:a", "0000:06:00.0"}, {"H200", "uuid:b"}, {"H200", "uuid:a"}}) ==
        Names{"H200 #1", "H200 #2", "H200 #1"});
  CHECK(card_names({{"H200", "uuid:a", "0000:06:00.0"}, {"H200", "uuid:b", "06:00.0"}}) == Names{"H200 #1", "H200 #2"});
  CHECK(card_names({{"H200", "uuid:a", "nonsense"}, {"H200", "uuid:b", "06:00.0"}}) == Names{"H200 #1", "H200 #2"});
}

TEST_CASE("card names: headers give names by id; a document's device is no other card") {
  Header one = examples::header("one");
  Header two = examples::header("two");
  two.identity = "uuid:other";
  Header published = examples::published_header("document");
  published.device.name = one.device.name;
  Header model = examples::simulated_header("model");
  model.device.name = one.device.name;
  const auto names = header_names({&one, &two, &published, &model});
  CHECK(names.at("model") == "Some GPU");
  CHECK(names.at("one") == "Some GPU #1");
  CHECK(names.at("two") == "Some GPU #2");
  CHECK(names.at("document") == "Some GPU");
}

}  // namespace
}  // namespace percycle::card_names_test
