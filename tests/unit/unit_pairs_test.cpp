#include "experiments/atomics/parts/unit_pairs.hpp"

#include <doctest/doctest.h>

#include <map>
#include <set>

namespace percycle::unit_pairs_test {
namespace {

TEST_CASE("unit pairs: all rounds have each pair once, and in a round each unit plays once") {
  for (const std::uint32_t units : {2u, 3u, 4u, 7u, 8u, 131u, 132u}) {
    CAPTURE(units);
    std::set<UnitPair> all;
    for (std::uint32_t round = 0; round < tournament_rounds(units); ++round) {
      const auto pairs = tournament_round(units, round);
      CHECK(pairs.size() == units / 2);
      std::set<std::uint32_t> players;
      for (const auto& [first, second] : pairs) {
        CHECK(first < second);
        CHECK(second < units);
        CHECK(players.insert(first).second);
        CHECK(players.insert(second).second);
        CHECK(all.insert({first, second}).second);
      }
    }
    CHECK(all.size() == std::size_t{units} * (units - 1) / 2);
  }
  CHECK(tournament_round(5, 0) == std::vector<UnitPair>{{1, 4}, {2, 3}});  // unit 0 rests
}

TEST_CASE("unit pairs: the first rounds have near and far ones") {
  std::set<std::uint32_t> distances;
  std::set<std::uint32_t> partners;
  for (std::uint32_t round = 0; round < 16; ++round) {
    for (const auto& [first, second] : tournament_round(132, round)) {
      distances.insert(second - first);
      if (first == 10) partners.insert(second);
      if (second == 10) partners.insert(first);
    }
  }
  CHECK(distances.size() > 120);
  REQUIRE(partners.size() == 16);
  std::uint32_t before = 0;
  std::uint32_t widest = 0;  // gap between partners of one unit
  for (const std::uint32_t partner : partners) {
    widest = std::max(widest, partner - before);
    before = partner;
  }
  CHECK(widest < 3 * 132 / 16);
}

TEST_CASE("unit pairs: no two units, no rounds") {
  CHECK(tournament_rounds(0) == 0);
  CHECK(tournament_rounds(1) == 0);
}

}  // namespace
}  // namespace percycle::unit_pairs_test
