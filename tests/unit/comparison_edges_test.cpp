#include "report/comparison_edges.hpp"

#include <doctest/doctest.h>

#include <list>

#include "report/finding_changes.hpp"
#include "unit/store_examples.hpp"

namespace percycle::comparison_edges_test {
namespace {

constexpr std::uint64_t kKb = 1024;

HierarchyLevel level(const std::string& path, const std::string& name, std::uint64_t kib, double confidence = 1) {
  HierarchyLevel level;
  level.path = path;
  level.name = name;
  level.size_bytes = kib * kKb;
  level.size_low = level.size_bytes * 98 / 100;
  level.size_high = level.size_bytes * 102 / 100;
  level.confidence = confidence;
  return level;
}

Hierarchy hierarchy(const std::vector<HierarchyLevel>& levels) {
  Hierarchy hierarchy;
  hierarchy.levels = levels;
  return hierarchy;
}

std::vector<ChangeVerdict> size_verdicts(const Hierarchy& before, const Hierarchy& after) {
  std::vector<ChangeVerdict> verdicts;
  for (const FindingChange& change : finding_changes(before, after)) verdicts.push_back(change.verdict);
  return verdicts;
}

/// A side with latencies of path global, by footprint in KiB.
struct Curve {
  Side side;
  std::list<PointResult> results;

  explicit Curve(const std::vector<std::pair<std::int64_t, double>>& points) {
    for (const auto& [kib, ns] : points) {
      results.emplace_back().point = examples::point(kib * 1024);
      SideAnswer& answer = side.answers[to_string(results.back().point)];
      answer.result = &results.back();
      answer.value = ns;
    }
  }
};

/// The verdicts of all points, each worse without their edges.
std::vector<ChangeVerdict> marked(const Curve& before, const Curve& after, const Hierarchy& found_before,
                                  const Hierarchy& found_after) {
  std::map<std::string, ChangeRow> rows;
  for (const PointResult& result : before.results) {
    const std::string question = to_string(result.point);
    ChangeRow& row = rows[question];
    row.question = result.point;
    row.before = &before.side.answers.at(question);
    row.after = &after.side.answers.at(question);
    row.verdict = ChangeVerdict::worse;
  }
  mark_edges(rows, {before.side, found_before}, {after.side, found_after}, finding_changes(found_before, found_after));
  std::vector<ChangeVerdict> verdicts;
  for (const PointResult& result : before.results) verdicts.push_back(rows.at(to_string(result.point)).verdict);
  return verdicts;
}

constexpr auto kEdge = ChangeVerdict::edge;
constexpr auto kWorse = ChangeVerdict::worse;
constexpr auto kNoise = ChangeVerdict::noise;
using Verdicts = std::vector<ChangeVerdict>;

TEST_CASE("edges: a cache's size changed if it differs by 12 % and more than its bounds, with certainty") {
  const Hierarchy l1 = hierarchy({level("global", "L1", 200)});
  CHECK(size_verdicts(l1, hierarchy({level("global", "L1", 223)})) == Verdicts{kNoise});
  CHECK(size_verdicts(l1, hierarchy({level("global", "L1", 225)})) == Verdicts{ChangeVerdict::better});
  CHECK(size_verdicts(l1, hierarchy({level("global", "L1", 175)})) == Verdicts{kWorse});
  CHECK(size_verdicts(l1, hierarchy({level("global", "L1", 100, 0.69)})) == Verdicts{kNoise});
  HierarchyLevel vague = level("global", "L1", 100);
  vague.size_high = 196 * kKb;  // the other's lower bound
  CHECK(size_verdicts(l1, hierarchy({vague})) == Verdicts{kNoise});
  vague.size_high = 195 * kKb;
  CHECK(size_verdicts(l1, hierarchy({vague})) == Verdicts{kWorse});
}

TEST_CASE("edges: a rise begins a little before the end of a cache and is over at twice its size") {
  const Hierarchy l1 = hierarchy({level("global", "L1", 200)});
  CHECK(is_on_rise(l1, "global", 160.0 * kKb));
  CHECK(is_on_rise(l1, "global", 400.0 * kKb));
  CHECK_FALSE(is_on_rise(l1, "global", 150.0 * kKb));
  CHECK_FALSE(is_on_rise(l1, "global", 420.0 * kKb));
  CHECK_FALSE(is_on_rise(l1, "texture", 200.0 * kKb));
}

TEST_CASE("edges: caches of a path are compared if both sides have the same ones") {
  const Hierarchy two = hierarchy({level("global", "L1", 200), level("global", "L2", 4000), level("texture", "L1", 200)});
  const Hierarchy other = hierarchy({level("global", "L2", 4000), level("texture", "L1", 100)});
  const auto changes = finding_changes(two, other);
  REQUIRE(changes.size() == 1);
  CHECK(changes[0].word(0) == "texture");
  CHECK(changes[0].word(1) == "L1");
  CHECK(changes[0].before == 200 * kKb);
  CHECK(changes[0].after == 100 * kKb);
  CHECK(changes[0].percent() == -50);
}

TEST_CASE("edges: a point beside an edge is explained by the neighbours' values, one on a plateau is not") {
  const Hierarchy l1 = hierarchy({level("global", "L1", 200)});
  const Curve before({{100, 20}, {150, 20}, {180, 20}, {220, 40}, {260, 70}, {300, 100}, {380, 100}, {600, 100}, {900, 100}});
  //               plateau              the rise                                   the next plateau
  const Curve after({{100, 40}, {150, 30}, {180, 38}, {220, 60}, {260, 90}, {300, 130}, {380, 130}, {600, 130}, {900, 60}});
  const Verdicts expected{kWorse, kWorse, kEdge, kEdge, kEdge, kEdge, kWorse, kWorse, kWorse};
  CHECK(marked(before, after, l1, l1) == expected);
  CHECK(marked(after, before, l1, l1) == expected);
  const Verdicts nowhere(9, kWorse);
  CHECK(marked(before, after, {}, {}) == nowhere);
  const Hierarchy other_path = hierarchy({level("texture", "L1", 200)});
  CHECK(marked(before, after, other_path, other_path) == nowhere);
}

TEST_CASE("edges: where a cache is smaller, its points are one finding") {
  std::vector<std::pair<std::int64_t, double>> large_points;
  std::vector<std::pair<std::int64_t, double>> small_points;
  for (std::int64_t kib = 50; kib <= 300; kib += 10) {
    large_points.emplace_back(kib, kib <= 200 ? 20 : 100);
    small_points.emplace_back(kib, kib <= 100 ? 20 : 100);
  }
  const Curve before(large_points);
  const Curve after(small_points);
  const Hierarchy large = hierarchy({level("global", "L1", 200)});
  const Hierarchy small = hierarchy({level("global", "L1", 100)});
  constexpr std::size_t k110 = 6;
  constexpr std::size_t k150 = 10;
  constexpr std::size_t k200 = 15;
  const auto verdicts = marked(before, after, large, small);
  for (const std::size_t place : {k110, k150, k200}) CHECK(verdicts[place] == kEdge);
  // Without the two sizes 150 KiB is further from both edges than an edge moves.
  const Hierarchy between = hierarchy({level("global", "L1", 140)});
  CHECK(marked(before, after, between, between)[k110] == kEdge);
  CHECK(marked(before, after, between, between)[k150] == kWorse);
  CHECK(marked(before, after, between, between)[k200] == kEdge);
}

}  // namespace
}  // namespace percycle::comparison_edges_test
