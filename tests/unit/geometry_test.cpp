#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "analysis/geometry.hpp"
#include "experiments/experiment.hpp"
#include "fake_device.hpp"
#include "point_examples.hpp"

namespace percycle::geometry_test {
namespace {

using examples::measured;

/// Two levels: 32 KiB at 30 cycles, 1 MiB at 200, memory at 600.
std::vector<PointResult> two_levels() { return examples::sweep("global", {32768, 1 << 20}, {30, 200, 600}); }

Parameters test_point(const char* test, std::int64_t level, Parameters more) {
  more["path"] = "global";
  more["test"] = test;
  more["level"] = level;
  return more;
}

/// A point whose loads miss this share of the first level (30 or 200 cycles).
PointResult first(const char* test, double share, Parameters more) {
  return measured("geometry", test_point(test, 1, std::move(more)), 30 + 170 * share);
}

PointResult second(const char* test, double share, Parameters more) {
  return measured("geometry", test_point(test, 2, std::move(more)), 200 + 400 * share);
}

/// The block of an alias test of the second level, from 1 KiB on.
std::int64_t test_block(std::span<const PointResult> results, std::int64_t apart) {
  return static_cast<std::int64_t>(
      GeometryReader(results, "global").alias_test_block(1, 1024, static_cast<std::uint64_t>(apart)));
}

TEST_CASE("geometry: the fetch size is where misses stop growing with the stride") {
  auto results = two_levels();
  for (const std::int64_t stride : {8, 16, 32, 64, 128, 256}) {
    results.push_back(first("fetch", std::min(1.0, static_cast<double>(stride) / 32), {{"stride", stride}}));
    results.push_back(second("fetch", std::min(1.0, static_cast<double>(stride) / 64), {{"stride", stride}}));
  }
  const GeometryReader reader(results, "global");
  REQUIRE(reader.levels() == 2);
  CHECK(reader.fetch(0)->bytes == 32);
  CHECK_FALSE(reader.fetch(0)->at_most);
  CHECK(reader.fetch(1)->bytes == 64);
  CHECK_FALSE(reader.fetch(1)->at_most);
}

TEST_CASE("geometry: a larger fetch of the level before hides less") {
  auto results = two_levels();
  for (const std::int64_t stride : {8, 16, 32, 64, 128, 256}) {
    results.push_back(first("fetch", std::min(1.0, static_cast<double>(stride) / 128), {{"stride", stride}}));
    results.push_back(second("fetch", 1, {{"stride", stride}}));
  }
  const GeometryReader reader(results, "global");
  CHECK(reader.fetch(0)->bytes == 128);
  CHECK(reader.fetch(1)->bytes == 128);
  CHECK(reader.fetch(1)->at_most);
}

TEST_CASE("geometry: one stride that misses too much does not end the growth") {
  auto results = two_levels();
  for (const auto& [stride, share] :
       {std::pair(8, 0.06), {16, 0.25}, {32, 0.27}, {64, 0.51}, {128, 1.0}, {256, 1.0}, {512, 1.0}}) {
    results.push_back(first("fetch", share, {{"stride", stride}}));
  }
  CHECK(GeometryReader(results, "global").fetch(0)->bytes == 128);
}

TEST_CASE("geometry: a stride that misses more than both neighbours allow is no fetch") {
  const auto fetch = [](double half, double here) {
    auto results = two_levels();
    for (const auto& [stride, share] : {std::pair(8, 0.12), {16, half}, {32, here}, {64, 1.0}, {128, 1.0}})
      results.push_back(first("fetch", share, {{"stride", stride}}));
    const auto found = GeometryReader(results, "global").fetch(0);
    return found ? found->bytes : 0;
  };
  CHECK(fetch(0.25, 1.45) == 64);
  // The lines of twice the footprint may also miss the next level. Then half the stride misses half
  // as often.
  CHECK(fetch(1.45, 2.9) == 32);
  CHECK(fetch(0.5, 1.0) == 32);
  // More than a miss of each load, and half the stride does not show why.
  CHECK(fetch(0.25, 2.9) == 0);
}

TEST_CASE("geometry: data without gaps ask for lines only at the fetch or closer") {
  auto results = two_levels();
  for (const auto& [stride, share] : {std::pair(8, 0.25), {16, 0.5}, {32, 1.0}, {64, 1.0}, {128, 1.0}})
    results.push_back(first("fetch", share, {{"stride", stride}}));
  const auto gaps = [&](std::int64_t divisor, std::int64_t stride, double share) {
    results.push_back(first("gaps", share, {{"divisor", divisor}, {"stride", stride}, {"nodes", 64}}));
    return GeometryReader(results, "global").gaps(0);
  };
  CHECK_FALSE(gaps(2, 64, 0));  // planned when the fetch seemed to be 64 B
  CHECK(gaps(4, 32, 0) == 4);
}

TEST_CASE("geometry: strides over different footprints do not compare") {
  auto results = two_levels();
  // 32 B. The larger footprint also misses the next level, which holds more of far nodes.
  const auto add = [&](std::int64_t bytes, std::int64_t stride, double share) {
    results.push_back(first("fetch", share, {{"stride", stride}, {"nodes", bytes / stride}}));
  };
  for (const auto& [stride, share] : {std::pair(8, 0.25), {16, 0.5}, {32, 1.0}, {64, 1.0}, {128, 1.0}})
    add(1 << 17, stride, share);
  CHECK(GeometryReader(results, "global").fetch(0)->bytes == 32);
  for (const auto& [stride, share] : {std::pair(8, 0.5), {16, 1.0}, {32, 2.0}, {64, 2.0}, {128, 1.0}})
    add(1 << 21, stride, share);
  CHECK(GeometryReader(results, "global").fetch(0)->bytes == 32);
  CHECK_FALSE(GeometryReader(results, "global").fetch_disputed(0));
  for (const auto& [stride, share] : {std::pair(8, 0.25), {16, 0.5}, {32, 1.0}, {64, 2.0}, {128, 2.0}})
    add(1 << 22, stride, share);
  CHECK(GeometryReader(results, "global").fetch(0)->bytes == 32);
  CHECK(GeometryReader(results, "global").fetch_disputed(0));
}

TEST_CASE("geometry: a fetch size that no stride reached, or a level that never missed, gives no finding") {
  auto results = two_levels();
  for (const std::int64_t stride : {8, 16, 32})
    results.push_back(first("fetch", static_cast<double>(stride) / 64, {{"stride", stride}}));
  CHECK_FALSE(GeometryReader(results, "global").fetch(0));
  auto flat = two_levels();
  for (const std::int64_t stride : {8, 16, 32, 64}) flat.push_back(first("fetch", 0.01, {{"stride", stride}}));
  CHECK_FALSE(GeometryReader(flat, "global").fetch(0));
}

TEST_CASE("geometry: the line is the smallest distance whose nodes fit, by the factor that gives the smallest one") {
  auto results = two_levels();
  for (const std::int64_t candidate : {32, 64, 128, 256}) {
    results.push_back(first("line", candidate >= 128 ? 0.02 : 1, {{"candidate", candidate}, {"factor", 3}}));
  }
  CHECK(GeometryReader(results, "global").line(0) == 128);
  // The number of sets is a multiple of three: with it only a few far nodes fit.
  auto thirds = two_levels();
  for (const std::int64_t candidate : {32, 64, 128, 256, 512}) {
    thirds.push_back(first("line", candidate >= 512 ? 0 : 1, {{"candidate", candidate}, {"factor", 3}}));
    thirds.push_back(first("line", candidate >= 64 ? 0 : 1, {{"candidate", candidate}, {"factor", 5}}));
  }
  CHECK(GeometryReader(thirds, "global").line(0) == 64);
  CHECK(GeometryReader(thirds, "global").line_tried(0, 5));
  CHECK_FALSE(GeometryReader(thirds, "global").line_tried(0, 7));
  // None fits: no line.
  auto none = two_levels();
  for (const std::int64_t candidate : {32, 64}) none.push_back(first("line", 1, {{"candidate", candidate}, {"factor", 3}}));
  CHECK_FALSE(GeometryReader(none, "global").line(0));
}

/// The line by the miss shares of candidates from 64 B on, by two factors; whether it is disputed.
std::pair<std::uint64_t, bool> line_by(const std::vector<double>& threes, const std::vector<double>& fives) {
  auto results = two_levels();
  for (const auto& [factor, shares] : {std::pair(3, threes), {5, fives}}) {
    std::int64_t candidate = 64;
    for (const double share : shares) {
      results.push_back(first("line", share, {{"candidate", candidate}, {"factor", factor}}));
      candidate *= 2;
    }
  }
  const GeometryReader reader(results, "global");
  return {reader.line(0).value_or(0), reader.line_disputed(0)};
}

TEST_CASE("geometry: a line is disputed if conflicts by chance may have made it seem longer") {
  CHECK(line_by({1, 0, 0}, {1, 0, 0}) == std::pair<std::uint64_t, bool>(128, false));
  CHECK(line_by({0.45, 0.18, 0}, {0.5, 0.1, 0}) == std::pair<std::uint64_t, bool>(128, false));
  // Misses fall slowly: a hash makes fewer and fewer lines conflict.
  CHECK(line_by({0.36, 0.1, 0}, {0.38, 0.1, 0}) == std::pair<std::uint64_t, bool>(128, true));
  CHECK(line_by({0.8, 0.25, 0}, {0.9, 0.28, 0}) == std::pair<std::uint64_t, bool>(128, true));
  // The shortest candidate has no step before it, but must fit.
  CHECK(line_by({0.1, 0, 0}, {0.1, 0, 0}) == std::pair<std::uint64_t, bool>(64, false));
  CHECK(line_by({0.25, 0.1, 0.1}, {0.25, 0.1, 0.1}) == std::pair<std::uint64_t, bool>(64, true));
  // Both factors see the line, one of them not clearly.
  CHECK(line_by({0.39, 0, 0}, {0.45, 0, 0}) == std::pair<std::uint64_t, bool>(128, true));
  // Wasted lines miss alike in both factors, conflicts by chance do not.
  CHECK(line_by({0.81, 0, 0}, {0.68, 0, 0}) == std::pair<std::uint64_t, bool>(128, true));
  CHECK(line_by({0.81, 0, 0}, {0.88, 0.15, 0.15}) == std::pair<std::uint64_t, bool>(128, false));
  // The clear factor counts, but the other one casts doubt.
  CHECK(line_by({0.5, 0.04, 0}, {0.29, 0.1, 0}) == std::pair<std::uint64_t, bool>(128, true));
}

TEST_CASE("geometry: the test of lines with the length of the level counts") {
  auto results = two_levels();
  // 0.7 of 32 KiB; an earlier reading took the level for four times as large.
  const auto add = [&](std::int64_t candidate, double of_size, double share) {
    const auto nodes = static_cast<std::int64_t>(of_size * 32768) / candidate;
    results.push_back(first("line", share, {{"candidate", candidate}, {"factor", 3}, {"nodes", nodes}}));
  };
  for (const double of_size : {2.8, 0.7, 2.9}) {
    add(32, of_size, 1);
    add(64, of_size, of_size < 1 ? 0 : 1);
    add(128, of_size, of_size < 1 ? 0 : 0.7);
  }
  CHECK(GeometryReader(results, "global").line(0) == 64);
}

TEST_CASE("geometry: nodes that an inner level serves in part still fit; fully served nodes give no finding") {
  auto results = two_levels();
  // 512 of the second level (200 cycles) are also in the first (30): half of the loads, then nearly
  // all.
  for (const auto& [candidate, share] : {std::pair(32, 1.0), {64, 0.01}, {128, 0.0}, {256, -0.33}, {512, -0.4}}) {
    results.push_back(second("line", share, {{"candidate", candidate}, {"factor", 3}}));
  }
  CHECK(GeometryReader(results, "global").line(1) == 64);
  auto inside = two_levels();
  for (const auto& [candidate, share] : {std::pair(32, 1.0), {64, 0.9}, {128, -0.4}}) {
    inside.push_back(second("line", share, {{"candidate", candidate}, {"factor", 3}}));
  }
  CHECK_FALSE(GeometryReader(inside, "global").line(1));
}

TEST_CASE("geometry: a TLB that adds the same to all candidates hides no line") {
  auto results = two_levels();
  for (const std::int64_t candidate : {32, 64, 128, 256}) {
    results.push_back(second("line", 0.4 + (candidate >= 64 ? 0 : 1), {{"candidate", candidate}, {"factor", 3}}));
  }
  CHECK(GeometryReader(results, "global").line(1) == 64);
}

TEST_CASE("geometry: data without gaps show a hashed cache of short lines") {
  auto results = two_levels();
  for (const std::int64_t stride : {8, 16, 32, 64, 128}) {
    results.push_back(first("fetch", std::min(1.0, static_cast<double>(stride) / 32), {{"stride", stride}}));
  }
  CHECK_FALSE(GeometryReader(results, "global").gaps(0));
  results.push_back(first("gaps", 1, {{"divisor", 1}}));
  CHECK_FALSE(GeometryReader(results, "global").gaps(0));
  results.push_back(first("gaps", 0, {{"divisor", 2}}));
  const GeometryReader reader(results, "global");
  CHECK(reader.gaps(0) == 2);
  CHECK(reader.line(0) == 64);
  CHECK(reader.size(0) == doctest::Approx(16384).epsilon(0.05));
}

TEST_CASE("geometry: ways are the blocks that fit at the distance that brings them together") {
  auto results = two_levels();
  // 32 KiB of 8 ways and 64 sets of 64 B: blocks of 256 B conflict from 4 KiB on.
  for (std::int64_t apart = 512; apart <= 16384; apart *= 2) {
    results.push_back(first("alias", apart <= 4096 ? 1 : 0, {{"block", 256}, {"apart", apart}, {"blocks", 49152 / apart}}));
  }
  CHECK(GeometryReader(results, "global").alias_block(0) == 256);
  const auto alias = GeometryReader(results, "global").alias(0);
  REQUIRE(alias);
  CHECK(alias->apart == 4096);
  CHECK(alias->blocks == doctest::Approx(8).epsilon(0.05));
  CHECK_FALSE(GeometryReader(results, "global").alias_with_factors(0));  // not measured yet
  for (const std::int64_t factor : {3, 5, 7}) {
    results.push_back(first("factor", 0, {{"block", 256}, {"apart", 4096 * factor}, {"blocks", 5}}));
  }
  CHECK(GeometryReader(results, "global").alias_with_factors(0)->apart == 4096);
  for (const std::int64_t blocks : {6, 7, 8, 9, 10}) {
    results.push_back(first("ways", blocks <= 8 ? 0 : 1, {{"block", 256}, {"apart", 4096}, {"blocks", blocks}}));
  }
  const GeometryReader reader(results, "global");
  const auto ways = reader.ways(0, *reader.alias_with_factors(0));
  REQUIRE(ways);
  CHECK(ways->ways == 8);
  CHECK(ways->next_share == doctest::Approx(1).epsilon(0.01));
  CHECK(ways->sharp);
}

TEST_CASE("geometry: blocks that meet although smaller ones do not are the work of a hash") {
  auto results = two_levels();
  for (const auto& [block, share] : {std::pair(256, 0.9), {1024, 0.0}, {4096, 0.9}, {16384, 0.0}}) {
    results.push_back(first("alias", share, {{"block", block}, {"apart", 2 * block}, {"blocks", 24576 / block}}));
  }
  CHECK(GeometryReader(results, "global").alias_block(0) == 0);
  const auto alias = GeometryReader(results, "global").alias(0);
  REQUIRE(alias);
  CHECK_FALSE(alias->any);
  CHECK(alias->block == 256);
}

TEST_CASE("geometry: ways of an outer level are counted with blocks that outgrow the inner one") {
  auto results = two_levels();
  // 1 MiB of 16 ways: blocks of 1 KiB conflict from 64 KiB on; 16 of them would fit into the first
  // level's 32 KiB.
  for (std::int64_t apart = 2048; apart <= 1 << 18; apart *= 2) {
    // From 64 KiB on longer ones: 12 or 24 of 1 KiB would be the first level's.
    results.push_back(second("alias", apart <= 65536 ? 1 : 0,
                             {{"block", test_block(results, apart)}, {"apart", apart}, {"blocks", (3 << 19) / apart}}));
  }
  const auto plain = GeometryReader(results, "global").alias(1);
  REQUIRE(plain);
  // 10 of them are ten times the first level
  CHECK(GeometryReader(results, "global").factor_test(1, *plain)->block == 32768);
  CHECK(GeometryReader(results, "global").factor_test(1, *plain)->blocks == 10);
  for (const std::int64_t factor : {3, 5, 7}) {
    results.push_back(second("factor", 1, {{"block", 1024}, {"apart", 65536 * factor}, {"blocks", 10}}));
  }
  // The first level serves most of shorter blocks.
  CHECK_FALSE(GeometryReader(results, "global").alias_with_factors(1));
  for (const std::int64_t factor : {3, 5, 7}) {
    results.push_back(second("factor", 0, {{"block", 32768}, {"apart", 65536 * factor}, {"blocks", 10}}));
  }
  const auto alias = GeometryReader(results, "global").alias_with_factors(1);
  REQUIRE(alias);
  CHECK(alias->apart == 65536);
  CHECK(alias->block == 16384);  // 16 of them are eight times the first level
}

TEST_CASE("geometry: blocks that fit the level before do not show that no more of them conflict") {
  auto results = two_levels();
  for (std::int64_t apart = 2048; apart <= 1 << 17; apart *= 2) {
    const std::int64_t block = test_block(results, apart);
    const bool last = apart == 1 << 17;
    results.push_back(
        second("alias", last ? 0 : 1, {{"block", block}, {"apart", apart}, {"blocks", last ? 2 : (3 << 19) / apart}}));
  }
  // 2 blocks of 16 KiB are less than 1.5 times 32 KiB
  CHECK_FALSE(GeometryReader(results, "global").alias(1));
  results.back() = second("alias", 0, {{"block", test_block(results, 1 << 17)}, {"apart", 1 << 17}, {"blocks", 12}});
  REQUIRE(GeometryReader(results, "global").alias(1));
  CHECK(GeometryReader(results, "global").alias(1)->apart == 65536);
  // Shorter blocks are another test.
  results.back() = second("alias", 0, {{"block", 1024}, {"apart", 1 << 17}, {"blocks", 48}});
  CHECK(GeometryReader(results, "global").alias(1)->apart == 65536);
}

TEST_CASE("geometry: few misses above noise also show that blocks overflow their sets") {
  // A hash that fills the level before unevenly serves many loads, which are then faster than hits
  // of this one.
  for (const auto& row :
       {std::tuple(0.02, 0.16, 65536), {0.02, 0.14, 32768}, {0.06, 0.16, 32768}, {0.06, 0.25, 65536}, {0.2, 0.31, 65536}}) {
    const auto& error = std::get<0>(row);
    const auto& share = std::get<1>(row);
    const auto& apart = std::get<2>(row);
    CAPTURE(error);
    CAPTURE(share);
    auto results = two_levels();
    for (std::int64_t distance = 2048; distance <= 1 << 17; distance *= 2) {
      const double misses = distance < 1 << 16 ? 1 : distance == 1 << 16 ? share : 0;
      results.push_back(second(
          "alias", misses, {{"block", test_block(results, distance)}, {"apart", distance}, {"blocks", (3 << 19) / distance}}));
      results.back().measurement->statistics.at("cycles_per_op").mad = 400 * error / 0.831;
    }
    REQUIRE(GeometryReader(results, "global").alias(1));
    CHECK(GeometryReader(results, "global").alias(1)->apart == static_cast<std::uint64_t>(apart));
  }
}

TEST_CASE("geometry: a hit in the level before is no hit of an overflowing set") {
  // Random replacement in the first level: a walk over twice its size still hits a fifth, at 30
  // cycles instead of 600.
  auto results = examples::sweep("global", {16 << 10, 64 << 10}, {30, 200, 600});
  const RiseShape& shape = edge_shapes()[15];
  for (auto& result : results) {
    const auto bytes = static_cast<double>(integer(result.point.parameters, "footprint"));
    if (bytes <= 64 << 10) result.measurement->statistics.at("cycles_per_op").median = 30 + 170 * shape.share(bytes / (16 << 10));
  }
  const double served = 1 - shape.share(2);
  for (const auto& [blocks, cycles] : {std::pair(1, 200.0), {2, 600 - served * 570}}) {
    results.push_back(
        measured("geometry", test_point("ways", 2, {{"block", 16 << 10}, {"apart", 64 << 10}, {"blocks", blocks}}), cycles));
  }
  const GeometryReader reader(results, "global");
  REQUIRE(reader.levels() == 2);
  const auto ways = reader.ways(1, {16 << 10, 64 << 10, 1});
  REQUIRE(ways);
  CHECK(ways->next_share == doctest::Approx(1).epsilon(0.03));
}

/// Two levels of those sizes with known lines of 32 B.
std::vector<PointResult> of_known_lines(std::int64_t inner, std::int64_t outer) {
  auto results = examples::sweep("global", {static_cast<double>(inner), static_cast<double>(outer)}, {30, 200, 600});
  for (const std::int64_t stride : {8, 16, 32, 64, 128}) {
    for (const std::int64_t level : {1, 2}) {
      const double share = std::min(1.0, static_cast<double>(stride) / 32);
      results.push_back(measured("geometry", test_point("fetch", level, {{"stride", stride}}),
                                 level == 1 ? 30 + 170 * share : 200 + 400 * share));
    }
  }
  for (const std::int64_t level : {1, 2}) {
    results.push_back(measured("geometry", test_point("gaps", level, {{"divisor", 1}}), level == 1 ? 30 : 200));
    for (const std::int64_t candidate : {32, 64})
      results.push_back(
          measured("geometry", test_point("line", level, {{"candidate", candidate}, {"factor", 3}}), level == 1 ? 30 : 200));
  }
  return results;
}

TEST_CASE("geometry: blocks half as long again outgrow the level before where twice as long would not fit") {
  // Two of 16 KiB would leave a third of the previous 24 KiB; two of 32 KiB are all of the 64 KiB.
  CHECK(test_block(of_known_lines(24 << 10, 64 << 10), 64 << 10) == 24 << 10);
}

TEST_CASE("geometry: the blocks of a test are three times the level before where there is room") {
  // Twelve of 8 KiB would be 2.4 times the previous 40 KiB.
  CHECK(test_block(of_known_lines(40 << 10, 1 << 20), 1 << 17) == 16 << 10);
}

TEST_CASE("geometry: an odd factor is found once for each time that it divides the number of sets") {
  auto results = two_levels();
  // 32 KiB with 9 times 64 sets of 32 B: blocks of 256 B conflict from 2 KiB on, except for the
  // ninth parts of them from 18 KiB.
  for (std::int64_t apart = 512; apart <= 16384; apart *= 2) {
    results.push_back(first("alias", apart <= 2048 ? 1 : 0, {{"block", 256}, {"apart", apart}, {"blocks", 49152 / apart}}));
  }
  for (const std::int64_t factor : {3, 5, 7, 11, 13}) {
    results.push_back(first("factor", factor == 3 ? 1 : 0, {{"block", 256}, {"apart", 2048 * factor}, {"blocks", 10}}));
  }
  for (const std::int64_t factor : {3, 5}) {
    results.push_back(first("factor", factor == 3 ? 1 : 0, {{"block", 256}, {"apart", 6144 * factor}, {"blocks", 3}}));
  }
  const auto alias = GeometryReader(results, "global").alias_with_factors(0);
  REQUIRE(alias);
  CHECK(alias->apart == 18432);
}

TEST_CASE("geometry: lines longer than in the level before need longer blocks to outgrow it") {
  auto results = two_levels();
  for (const std::int64_t candidate : {32, 64, 128, 256}) {
    results.push_back(first("line", candidate >= 32 ? 0 : 1, {{"candidate", candidate}, {"factor", 3}}));
    results.push_back(second("line", candidate >= 128 ? 0 : 1, {{"candidate", candidate}, {"factor", 3}}));
  }
  CHECK(test_block(results, 4096) == 1024);
  CHECK(test_block(results, 65536) >= 8192);  // four times as long as with lines alike
  for (std::int64_t apart = 2048; apart <= 1 << 18; apart *= 2) {
    results.push_back(second("alias", apart <= 65536 ? 1 : 0,
                             {{"block", test_block(results, apart)}, {"apart", apart}, {"blocks", (3 << 19) / apart}}));
  }
  const GeometryReader reader(results, "global");
  REQUIRE(reader.line(0) == 32);
  REQUIRE(reader.line(1) == 128);
  CHECK(reader.tag_bytes(1) == 128);
  // The whole distance: four times as long were better.
  CHECK(reader.factor_test(1, *reader.alias(1))->block == 65536);
}

TEST_CASE("geometry: a single candidate that misses much is no line") {
  auto results = two_levels();
  results.push_back(second("line", 1, {{"candidate", 32}, {"factor", 3}}));
  results.push_back(second("line", 0.45, {{"candidate", 64}, {"factor", 3}}));
  CHECK_FALSE(GeometryReader(results, "global").line(1));
  results.push_back(second("line", 0.45, {{"candidate", 128}, {"factor", 3}}));
  CHECK(GeometryReader(results, "global").line(1) == 64);
}

TEST_CASE("geometry: the largest candidate is no line if a quarter of its loads miss") {
  auto results = two_levels();
  for (const auto& [candidate, share] : {std::pair(32, 0.8), {64, 0.25}})
    results.push_back(first("line", share, {{"candidate", candidate}, {"factor", 3}}));
  CHECK_FALSE(GeometryReader(results, "global").line(0));
  // The same for both: a TLB's.
  results.push_back(first("line", 0.25, {{"candidate", 128}, {"factor", 3}}));
  CHECK(GeometryReader(results, "global").line(0) == 64);
}

TEST_CASE("geometry: noise in three shares does not end the growth of the misses") {
  auto results = two_levels();
  for (const auto& [stride, share] : {std::pair(4, 0.33), {8, 0.27}, {16, 0.41}, {32, 0.95}, {64, 0.97}, {128, 1.0}}) {
    results.push_back(first("fetch", share, {{"stride", stride}}));
  }
  CHECK(GeometryReader(results, "global").fetch(0)->bytes == 32);
}

/// The bracket of counts if shares have this `error`.
Bracket bracket(const std::vector<std::pair<std::int64_t, double>>& counts, double error) {
  auto results = two_levels();
  for (const auto& [blocks, share] : counts) {
    auto result = first("ways", share, {{"block", 256}, {"apart", 4096}, {"blocks", blocks}});
    // The error of a median of five samples (median_error) is about 0.83 times their deviation.
    result.measurement->statistics.at("cycles_per_op").mad = 170 * error;
    results.push_back(std::move(result));
  }
  return GeometryReader(results, "global").bracket(0, {256, 4096, 8});
}

TEST_CASE("geometry: a count with few misses exceeds the ways if the next count has more misses") {
  const auto random = bracket({{6, 0.0}, {7, 0.01}, {8, 0.0}, {9, 0.11}, {10, 0.22}, {11, 0.31}}, 0.03);
  CHECK(random.fits == 8);
  CHECK(random.misses == 9);
  const auto noise = bracket({{6, 0.0}, {7, 0.01}, {8, 0.05}, {9, 0.19}, {10, 0.26}, {11, 0.31}}, 0.03);
  CHECK(noise.fits == 8);
}

TEST_CASE("geometry: an odd factor of the number of sets is found") {
  auto results = two_levels();
  for (std::int64_t apart = 512; apart <= 16384; apart *= 2) {
    results.push_back(first("alias", apart <= 2048 ? 1 : 0, {{"block", 256}, {"apart", apart}, {"blocks", 49152 / apart}}));
  }
  for (const std::int64_t factor : {3, 5, 7}) {
    results.push_back(first("factor", factor == 3 ? 1 : 0, {{"block", 256}, {"apart", 2048 * factor}, {"blocks", 10}}));
  }
  const auto once = GeometryReader(results, "global").untested_factors(0);
  REQUIRE(once);
  CHECK(once->apart == 6144);
  CHECK_FALSE(GeometryReader(results, "global").alias_with_factors(0));
  for (const std::int64_t factor : {3, 5}) {
    results.push_back(first("factor", 0, {{"block", 256}, {"apart", 6144 * factor}, {"blocks", 3}}));
  }
  CHECK_FALSE(GeometryReader(results, "global").untested_factors(0));
  const auto alias = GeometryReader(results, "global").alias_with_factors(0);
  REQUIRE(alias);
  CHECK(alias->apart == 6144);
  CHECK(alias->blocks == doctest::Approx(32768.0 / 6144).epsilon(0.05));
}

TEST_CASE("geometry: few misses with one more line count, unless all loads miss with the line after it") {
  auto results = two_levels();
  const GeometryReader::Alias alias{256, 4096, 8};
  for (const auto& [blocks, share] : {std::pair(7, 0.0), {8, 0.0}, {9, 0.2}, {10, 0.3}}) {
    results.push_back(first("ways", share, {{"block", 256}, {"apart", 4096}, {"blocks", blocks}}));
  }
  CHECK(GeometryReader(results, "global").ways(0, alias)->ways == 8);
  CHECK_FALSE(GeometryReader(results, "global").ways(0, alias)->sharp);
  auto sharp = two_levels();
  // Noise below a sharp edge.
  for (const auto& [blocks, share] : {std::pair(7, 0.05), {8, 0.06}, {9, 1.0}}) {
    sharp.push_back(first("ways", share, {{"block", 256}, {"apart", 4096}, {"blocks", blocks}}));
  }
  CHECK(GeometryReader(sharp, "global").ways(0, alias)->ways == 8);
  auto far = two_levels();
  far.push_back(first("ways", 0, {{"block", 256}, {"apart", 4096}, {"blocks", 6}}));
  far.push_back(first("ways", 1, {{"block", 256}, {"apart", 4096}, {"blocks", 10}}));
  CHECK_FALSE(GeometryReader(far, "global").ways(0, alias));
  CHECK(GeometryReader(far, "global").bracket(0, alias).fits == 6);
  CHECK(GeometryReader(far, "global").bracket(0, alias).misses == 10);
}

TEST_CASE("geometry: blocks that miss half as often as one block more are already one too many") {
  const auto ways = [](std::int64_t fits, double share, double next_share) {
    auto results = two_levels();
    for (const auto& [blocks, misses] : {std::pair(fits - 1, 0.0), {fits, share}, {fits + 1, next_share}})
      results.push_back(first("ways", misses, {{"block", 256}, {"apart", 4096}, {"blocks", blocks}}));
    return GeometryReader(results, "global").ways(0, {256, 4096, 8});
  };
  CHECK(ways(64, 0.002, 0.03)->ways == 64);  // random replacement misses 2 in 65
  CHECK_FALSE(ways(97, 0.02, 0.04));         // of 96 ways: 97 lines seem to fit
  CHECK_FALSE(ways(65, 0.01, 0.04));         // of 64 ways: the 65th misses slightly
  CHECK(ways(20, 0.01, 0.04)->ways == 20);   // of few ways it would miss more
  CHECK(ways(97, 0.02, 1)->ways == 97);
}

TEST_CASE("geometry: its plan begins with the latency sweep and repeats no point") {
  const auto* geometry = find_experiment("geometry");
  REQUIRE(geometry != nullptr);
  const auto device = fake::gpu();
  const auto options = make_options({&geometry, 1}, {{"path", "global"}}, Preset::standard, 1).front();
  const auto begin = geometry->plan(device, options, {});
  REQUIRE_FALSE(begin.empty());
  for (const auto& point : begin) CHECK(point.experiment == "latency");

  std::vector<PointResult> done;
  std::set<std::string> seen;
  bool own = false;
  for (int generation = 0; generation < 60; ++generation) {
    const auto points = geometry->plan(device, options, done);
    if (points.empty()) break;
    for (const auto& point : points) {
      CHECK(seen.insert(to_string(point)).second);
      own = own || point.experiment == "geometry";
      const auto footprint = point.parameters.find("footprint");
      const double bytes =
          footprint == point.parameters.end() ? 0 : static_cast<double>(std::get<std::int64_t>(footprint->second));
      done.push_back(measured(point.experiment, point.parameters, bytes > 32768 ? 200 : 30));
    }
  }
  CHECK(own);
  CHECK(geometry->plan(device, options, done).empty());
}

TEST_CASE("geometry: at quick it visits neighbours together over every large footprint of the latency sweep") {
  const auto* geometry = find_experiment("geometry");
  const auto device = fake::gpu();
  const auto options = make_options({&geometry, 1}, {{"path", "global"}}, Preset::quick, 1).front();
  std::vector<PointResult> done;
  std::set<std::int64_t> walked;
  for (auto points = geometry->plan(device, options, done); points.front().experiment == "latency";) {
    for (const auto& point : points) {
      const auto footprint = std::get<std::int64_t>(point.parameters.at("footprint"));
      if (footprint >= 256 << 10) walked.insert(footprint);
      done.push_back(measured(point.experiment, point.parameters, footprint > 32768 ? 200 : 30));
    }
    points = geometry->plan(device, options, done);
  }
  REQUIRE(walked.size() == 13);  // octaves from 256 KiB to 1 GiB
  std::set<std::int64_t> together;
  for (const auto& point : geometry->plan(device, options, done)) {
    if (!point.parameters.contains("footprint")) continue;
    CHECK(point.parameters.at("test") == ParameterValue("sweep"));
    CHECK(std::get<std::int64_t>(point.parameters.at("group")) * 128 >= 4096);
    together.insert(std::get<std::int64_t>(point.parameters.at("footprint")));
  }
  CHECK(together == walked);
}

TEST_CASE("geometry: a chase that the path cannot hold is refused before it runs") {
  const auto* geometry = find_experiment("geometry");
  auto device = fake::gpu();
  Point point{"geometry",
              {{"path", "constant"}, {"form", "index"}, {"test", "line"}, {"nodes", 1024}, {"stride", 192}, {"group", 1}}};
  CHECK(geometry->unsupported(device, point));
  point.parameters["nodes"] = 64;
  CHECK_FALSE(geometry->unsupported(device, point));
}

}  // namespace
}  // namespace percycle::geometry_test
