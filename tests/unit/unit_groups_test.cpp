#include "analysis/unit_groups.hpp"

#include <doctest/doctest.h>

namespace percycle::unit_groups_test {
namespace {

/// Units 0 to 7; a hand-over takes the time by which its slower side is away from the token, plus a
/// little by their numbers.
std::vector<UnitPairTime> two_sides(double near, double far) {
  std::vector<UnitPairTime> distances;
  for (std::uint32_t a = 0; a < 8; ++a) {
    for (std::uint32_t b = a + 1; b < 8; ++b) {
      distances.push_back({a, b, (a % 4 < 2 && b % 4 < 2 ? near : far) + 0.5 * a + 0.1 * b});
    }
  }
  return distances;
}

TEST_CASE("unit groups: the units on the token's side, and the others") {
  const auto groups = unit_groups(two_sides(80, 130));
  REQUIRE(groups.size() == 2);
  CHECK(groups[0].units == std::vector<std::uint32_t>{0, 1, 4, 5});
  CHECK(groups[1].units == std::vector<std::uint32_t>{2, 3, 6, 7});
  CHECK(groups[0].least_ns == doctest::Approx(80.1));
  CHECK(groups[0].most_ns == doctest::Approx(80.5));
  CHECK(groups[1].least_ns == doctest::Approx(130.2));
  CHECK(groups[1].most_ns == doctest::Approx(130.7));
}

TEST_CASE("unit groups: a gap no wider than a tenth, or than others, splits nothing") {
  CHECK(unit_groups(two_sides(100, 109)).size() == 1);
  CHECK(unit_groups(two_sides(100, 112)).size() == 2);
  const auto steps = [](double one, double two) {
    return std::vector<UnitPairTime>{{0, 1, 100}, {2, 3, 100 + one}, {4, 5, 100 + one + two}};
  };
  CHECK(unit_groups(steps(20, 30)).size() == 1);
  CHECK(unit_groups(steps(20, 45)).size() == 2);
  CHECK(unit_groups(steps(45, 20)).size() == 2);
  CHECK(unit_groups(steps(30, 20)).front().units.size() == 6);
}

TEST_CASE("unit groups: one unit by itself is an outlier, and without distances there are none") {
  CHECK(unit_groups({{0, 1, 100}, {0, 2, 101}, {0, 3, 200}}).size() == 1);
  // With the token's own unit.
  CHECK(unit_groups({{0, 0, 50}, {1, 2, 100}, {1, 3, 101}}).size() == 1);
  CHECK(unit_groups({}).empty());
}

}  // namespace
}  // namespace percycle::unit_groups_test
