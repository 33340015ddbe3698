#include "report/reason_groups.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace percycle::reason_groups_test {
namespace {

std::string joined_points(const std::vector<PointReasons>& points) {
  std::string text;
  for (const ReasonGroup& group : group_reasons(points)) text += group.text + " (" + std::to_string(group.points) + "); ";
  return text;
}

/// Each reason is that of one point.
std::string joined(const std::vector<std::string>& reasons) {
  std::vector<PointReasons> points;
  for (const std::string& reason : reasons) points.push_back({reason});
  return joined_points(points);
}

}  // namespace

TEST_CASE("reasons that differ only in numbers are one group with the range of each number") {
  CHECK(joined({"spills (16)", "no time", "spills (8)", "spills (16)"}) == "spills (8 to 16) (3); no time (1); ");
  CHECK(joined({"99.5 % of 400 W", "100.2 % of 400 W"}) == "99.5 to 100.2 % of 400 W (2); ");
  CHECK(joined({"at 7", "at 10"}) == "at 7 to 10 (2); ");
  CHECK(joined({"(+3.0 %), -5 %.", "(+12.0 %), -7 %."}) == "(+3.0 to +12.0 %), -7 to -5 %. (2); ");
}

TEST_CASE("a number inside a word is a part of the word") {
  CHECK(joined({"FP32 fails", "FP64 fails"}) == "FP32 fails (1); FP64 fails (1); ");
  CHECK(joined({"no 32-bit words", "no 64-bit words"}) == "no 32-bit words (1); no 64-bit words (1); ");
  CHECK(joined({"type_1", "type_2"}) == "type_1 (1); type_2 (1); ");
  CHECK(joined({"4x", "8x"}) == "4x (1); 8x (1); ");
}

TEST_CASE("a point counts once in each group that has one of its reasons") {
  const std::vector<PointReasons> points{{"spills (16)", "no time", "spills (8)"}, {"no time"}, {"idle", "no time"}, {}};
  CHECK(joined_points(points) == "no time (3); idle (1); spills (8 to 16) (1); ");
}

TEST_CASE("reasons of equally many points stand in alphabetical order") {
  CHECK(joined({"b", "a"}) == "a (1); b (1); ");
  CHECK(joined({}).empty());
}

}  // namespace percycle::reason_groups_test
