#include "core/parameters.hpp"

#include <doctest/doctest.h>

namespace percycle::parameters_test {

TEST_CASE("parameters: those of records may be absent or of the other type") {
  const Parameters parameters{{"groups", std::int64_t{2}}, {"path", "texture"}};
  CHECK(find_integer(parameters, "groups") == 2);
  CHECK_FALSE(find_integer(parameters, "path"));
  CHECK_FALSE(find_integer(parameters, "bytes"));
  CHECK(integer_or(parameters, "groups", 7) == 2);
  CHECK(integer_or(parameters, "path", 7) == 7);
  CHECK(integer_or(parameters, "bytes", 7) == 7);
  CHECK(has_word(parameters, "path", "texture"));
  CHECK_FALSE(has_word(parameters, "path", "global"));
  CHECK_FALSE(has_word(parameters, "groups", "2"));
  CHECK_FALSE(has_word(parameters, "first", "texture"));
}

TEST_CASE("parameters: a point's text has no space behind the name of an experiment without parameters") {
  CHECK(to_string(Point{"latency", {}}) == "latency");
  CHECK(to_string(Point{"latency", {{"path", "global"}}}) == "latency path=global");
}

}  // namespace percycle::parameters_test
