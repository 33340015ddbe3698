#include "limits/close_names.hpp"

#include <doctest/doctest.h>

namespace percycle::close_names_test {

using Names = std::vector<std::string>;

TEST_CASE("close names: parts and slips, closest first") {
  const Names known = {
      "GeForce RTX 4090", "GeForce RTX 5090", "Radeon RX 6900 XT", "Hopper", "RDNA1", "RDNA2", "RDNA3", "RDNA3.5", "RDNA4"};
  CHECK(close_names("hoper", known) == Names{"Hopper"});
  CHECK(close_names("HOPPER", known) == Names{"Hopper"});
  CHECK(close_names("RTX 4091", known) == Names{"GeForce RTX 4090", "GeForce RTX 5090"});
  CHECK(close_names("6900", known) == Names{"Radeon RX 6900 XT"});
  CHECK(close_names("rdna", known) == Names{"RDNA1", "RDNA2", "RDNA3", "RDNA3.5", "RDNA4"});
  CHECK(close_names("Mali", known).empty());
  CHECK(close_names("x", {}).empty());
  CHECK(close_names("abcdef", {"abcdxy"}) == Names{"abcdxy"});
  CHECK(close_names("abcd", {"abxy"}).empty());
}

TEST_CASE("close names: each once, and five at most") {
  CHECK(close_names("a", {"a1", "a1", "a2", "a3", "a4", "a5", "a6"}) == Names{"a1", "a2", "a3", "a4", "a5"});
  CHECK(close_names("abc", {"abd", "xabc", "xyz"}) == Names{"xabc", "abd"});
}

}  // namespace percycle::close_names_test
