#include "experiments/unit_pairs.hpp"

#include <doctest/doctest.h>

#include <map>
#include <set>

namespace percycle {
namespace {

TEST_CASE("unit pairs: all of them, each once") {
  for (const std::uint32_t units : {2u, 3u, 4u, 7u, 8u, 131u, 132u}) {
    CAPTURE(units);
    for (const std::uint64_t wanted : {std::uint64_t{units} * (units - 1) / 2, UINT64_MAX}) {
      const auto pairs = spread_pairs(units, wanted);
      CHECK(pairs.size() == std::size_t{units} * (units - 1) / 2);
      CHECK(std::set<UnitPair>(pairs.begin(), pairs.end()).size() == pairs.size());
      for (const auto& [first, second] : pairs) {
        CHECK(first < second);
        CHECK(second < units);
      }
    }
  }
}

TEST_CASE("unit pairs: fewer are whole rounds, in which each unit is as often") {
  for (const auto& [wanted, rounds] : {std::pair{1, 1}, {66, 1}, {67, 2}, {1000, 16}, {0, 1}}) {
    CAPTURE(wanted);
    const auto pairs = spread_pairs(132, static_cast<std::uint64_t>(wanted));
    CHECK(pairs.size() == static_cast<std::size_t>(66 * rounds));
    CHECK(std::set<UnitPair>(pairs.begin(), pairs.end()).size() == pairs.size());
    std::map<std::uint32_t, int> games;
    std::set<std::uint32_t> distances;
    for (const auto& [first, second] : pairs) {
      ++games[first];
      ++games[second];
      distances.insert(second - first);
    }
    CHECK(games.size() == 132);
    for (const auto& [unit, count] : games) CHECK(count == rounds);
    CHECK(distances.size() > 60);  // near and far
  }
  CHECK(spread_pairs(5, 1) == std::vector<UnitPair>{{1, 4}, {2, 3}});  // unit 0 rests
}

TEST_CASE("unit pairs: no two units, no pairs") {
  CHECK(spread_pairs(0, 10).empty());
  CHECK(spread_pairs(1, 10).empty());
}

}  // namespace
}  // namespace percycle
