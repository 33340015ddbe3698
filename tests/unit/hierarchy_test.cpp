#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "analysis/hierarchy.hpp"
#include "analysis/known_readings.hpp"
#include "analysis/translation.hpp"
#include "check_words.hpp"
#include "point_examples.hpp"
#include "report/finding_tables.hpp"
#include "report/hierarchy_text.hpp"
#include "report/report_json.hpp"

namespace percycle::hierarchy_test {
namespace {

void append(std::vector<PointResult>& to, const std::vector<PointResult>& more) { to.insert(to.end(), more.begin(), more.end()); }

const HierarchyLevel& level(const Hierarchy& hierarchy, const std::string& path, const std::string& name) {
  for (const auto& one : hierarchy.levels) {
    if (one.path == path && one.name == name) return one;
  }
  FAIL("no level " << name << " on path " << path);
  return hierarchy.levels.front();
}

TEST_CASE("hierarchy: the same cache has the same name on all paths") {
  std::vector<PointResult> results = examples::sweep("global", {2 << 20}, {200, 600});
  append(results, examples::sweep("texture", {24 << 10, 2 << 20}, {80, 260, 660}));
  append(results, examples::sweep("constant", {2 << 10, 32 << 10}, {25, 80, 220}));
  append(results, examples::sweep("local", {}, {24}));
  const auto hierarchy = find_hierarchy(results);
  CHECK(level(hierarchy, "texture", "L1").latency_cycles == doctest::Approx(80));
  CHECK(level(hierarchy, "texture", "L2").latency_cycles == doctest::Approx(260));
  CHECK(level(hierarchy, "global", "L2").latency_cycles == doctest::Approx(200));
  CHECK(level(hierarchy, "constant", "constant L1").latency_cycles == doctest::Approx(25));
  CHECK(level(hierarchy, "global", "L2").latency_ns == doctest::Approx(100));
  CHECK(hierarchy.levels.size() == 5);
  REQUIRE(hierarchy.memory.size() == 4);
  for (const auto& memory : hierarchy.memory) {
    if (memory.path == "local") CHECK(memory.latency_cycles == doctest::Approx(24));
    if (memory.path == "global") CHECK(memory.latency_cycles == doctest::Approx(600));
  }
}

TEST_CASE("hierarchy: ways that disagree with the curve cost 30 % of a level's confidence") {
  const auto counted = [](std::int64_t ways) {
    auto results = examples::sweep("global", {32768, 1 << 20}, {30, 200, 600});
    const auto add = [&](const std::string& test, Parameters more, double misses) {
      more["path"] = "global";
      more["test"] = test;
      more["level"] = 1;
      results.push_back(examples::measured("geometry", std::move(more), 30 + 170 * misses));
    };
    for (const std::int64_t stride : {8, 16, 32, 64, 128, 256, 512, 1024})
      add("fetch", {{"stride", stride}}, std::min(1.0, static_cast<double>(stride) / 128));
    for (std::int64_t apart = 256; apart <= 8192; apart *= 2)
      add("alias", {{"block", 128}, {"apart", apart}, {"blocks", 49152 / apart}}, apart <= 4096 ? 1 : 0);
    for (const std::int64_t factor : {3, 5, 7}) add("factor", {{"block", 128}, {"apart", 4096 * factor}, {"blocks", 5}}, 0);
    if (ways > 0) {
      for (const std::int64_t blocks : {ways, ways + 1})
        add("ways", {{"block", 128}, {"apart", 4096}, {"blocks", blocks}}, blocks > ways ? 1 : 0);
    }
    return level(find_hierarchy(results), "global", "L1");
  };
  const auto agreed = counted(8);
  CHECK(agreed.ways == 8);
  const auto disputed = counted(5);
  CHECK_FALSE(disputed.ways);
  CHECK(std::count(disputed.evidence.begin(), disputed.evidence.end(),
                   "5 blocks 4 KiB apart fit, 20 KiB in all, which disagrees with the curve") == 1);
  CHECK(disputed.confidence == doctest::Approx(0.7 * counted(0).confidence));
}

/// Levels of 32 KiB and 1 MiB at 30 and 200 cycles, of which misses fetch so much.
std::vector<PointResult> fetching(const std::string& path, double first, double second) {
  auto results = examples::sweep(path, {32768, 1 << 20}, {30, 200, 600});
  const auto add = [&](std::int64_t level, std::int64_t stride, double cycles) {
    results.push_back(examples::measured(
        "geometry", {{"path", path}, {"test", std::string("fetch")}, {"level", level}, {"stride", stride}}, cycles));
  };
  for (const std::int64_t stride : {8, 16, 32, 64, 128, 256, 512}) {
    const auto bytes = static_cast<double>(stride);
    add(1, stride, 30 + 170 * std::min(1.0, bytes / first));
    add(2, stride, 200 + 400 * std::min(1.0, bytes / second));
  }
  return results;
}

TEST_CASE("hierarchy: a fetch that an inner level hides comes from another path, one that shows does not") {
  // The texture path's first level fetches 128 B, so its second level may fetch less.
  auto results = fetching("global", 32, 64);
  append(results, fetching("texture", 128, 8));
  auto hierarchy = find_hierarchy(results);
  CHECK(level(hierarchy, "texture", "L2").sector_bytes == 64u);
  CHECK(level(hierarchy, "texture", "L1").sector_bytes == 128u);
  CHECK(level(hierarchy, "global", "L2").sector_bytes == 64u);
  // Both paths show their own fetches.
  results = fetching("global", 32, 64);
  append(results, fetching("texture", 64, 128));
  hierarchy = find_hierarchy(results);
  CHECK(level(hierarchy, "texture", "L1").sector_bytes == 64u);
  CHECK(level(hierarchy, "texture", "L2").sector_bytes == 128u);
}

TEST_CASE("hierarchy: fetches that differ with the footprint leave lines and sectors doubtful") {
  auto results = examples::sweep("global", {32768, 1 << 20}, {30, 200, 600});
  const auto add = [&](std::int64_t footprint, std::int64_t fetch) {
    for (const std::int64_t stride : {8, 16, 32, 64, 128}) {
      results.push_back(examples::measured(
          "geometry",
          {{"path", "global"}, {"test", "fetch"}, {"level", std::int64_t{1}}, {"stride", stride}, {"nodes", footprint / stride}},
          30 + 170 * std::min(1.0, static_cast<double>(stride) / static_cast<double>(fetch))));
    }
  };
  add(1 << 17, 32);
  const auto agreeing = find_hierarchy(results).levels.front();
  CHECK(agreeing.sector_bytes == 32u);
  CHECK(agreeing.line_confidence == agreeing.latency_confidence);
  add(1 << 18, 64);
  const auto disputed = find_hierarchy(results).levels.front();
  CHECK(disputed.line_confidence == doctest::Approx(0.69 * disputed.latency_confidence));
  CHECK(disputed.sector_confidence == disputed.line_confidence);
}

TEST_CASE("hierarchy: a flat path has no level, and an empty record nothing") {
  CHECK(find_hierarchy(examples::sweep("global", {}, {200})).levels.empty());
  const auto nothing = find_hierarchy({});
  CHECK(nothing.levels.empty());
  CHECK(nothing.memory.empty());
  CHECK(hierarchy_sentence(nothing).empty());
}

TEST_CASE("hierarchy: the near and the far part of one cache are named after it, levels far apart are not") {
  const auto parted = find_hierarchy(examples::sweep("global", {128 << 10, 4 << 20, 8 << 20}, {30, 270, 480, 680}));
  CHECK(level(parted, "global", "L2 near").latency_cycles == doctest::Approx(270));
  CHECK(level(parted, "global", "L2 far").latency_cycles == doctest::Approx(480));
  const auto apart = find_hierarchy(examples::sweep("global", {32 << 10, 512 << 10, 8 << 20}, {30, 100, 250, 680}));
  CHECK(level(apart, "global", "L3").latency_cycles == doctest::Approx(250));
}

TEST_CASE("hierarchy: a cache has two parts at most, and the next level the next number") {
  const auto three = find_hierarchy(examples::sweep("global", {64 << 10, 4 << 20, 8 << 20, 16 << 20}, {30, 270, 380, 500, 680}));
  CHECK(level(three, "global", "L2 near").latency_cycles == doctest::Approx(270));
  CHECK(level(three, "global", "L2 far").latency_cycles == doctest::Approx(380));
  CHECK(level(three, "global", "L3").latency_cycles == doctest::Approx(500));
}

TEST_CASE("hierarchy: a level of another path alone leaves no gap in the global path's names") {
  std::vector<PointResult> results = examples::sweep("global", {24 << 10, 2 << 20}, {30, 200, 600});
  append(results, examples::sweep("texture", {24 << 10, 256 << 10, 2 << 20}, {80, 120, 260, 660}));
  const auto hierarchy = find_hierarchy(results);
  CHECK(level(hierarchy, "global", "L1").latency_cycles == doctest::Approx(30));
  CHECK(level(hierarchy, "global", "L2").latency_cycles == doctest::Approx(200));
  CHECK(level(hierarchy, "texture", "texture L2").latency_cycles == doctest::Approx(120));
  CHECK(level(hierarchy, "texture", "L2").latency_cycles == doctest::Approx(260));
}

TEST_CASE("hierarchy: a path that shows the far part alone shows the whole cache") {
  std::vector<PointResult> results = examples::sweep("global", {128 << 10, 4 << 20, 8 << 20}, {30, 270, 480, 680});
  append(results, examples::sweep("texture", {128 << 10, 8 << 20}, {30, 350, 680}));
  const auto hierarchy = find_hierarchy(results);
  CHECK(level(hierarchy, "global", "L2 far").latency_cycles == doctest::Approx(480));
  CHECK(level(hierarchy, "texture", "L2").latency_cycles == doctest::Approx(350));
}

TEST_CASE("hierarchy: levels of different lines are no two parts of one cache") {
  auto results = examples::sweep("global", {32 << 10, 1 << 20, 2'700'000}, {30, 200, 300, 600});
  REQUIRE(level(find_hierarchy(results), "global", "L2 far").latency_cycles == doctest::Approx(300));
  const auto third = [&](const char* test, double cycles, const char* name, std::int64_t value) {
    for (std::int64_t number = 1; number <= 3; ++number) {
      const std::vector<double> latencies{30, 200, 300, 600};
      const auto before = latencies[static_cast<std::size_t>(number) - 1];
      const auto after = latencies[static_cast<std::size_t>(number)];
      results.push_back(examples::measured("geometry", {{"path", "global"}, {"test", test}, {"level", number}, {name, value}},
                                           before + cycles * (after - before)));
    }
  };
  for (const std::int64_t stride : {8, 16, 32, 64, 128, 256})
    third("fetch", std::min(1.0, static_cast<double>(stride) / 64), "stride", stride);
  results.push_back(examples::measured("geometry", {{"path", "global"}, {"test", "gaps"}, {"level", 3}, {"divisor", 1}}, 600));
  results.push_back(examples::measured("geometry", {{"path", "global"}, {"test", "gaps"}, {"level", 3}, {"divisor", 2}}, 300));
  const auto hierarchy = find_hierarchy(results);
  CHECK(level(hierarchy, "global", "L3").line_bytes == 64);
  CHECK(level(hierarchy, "global", "L3").size_bytes == doctest::Approx(1'350'000).epsilon(0.1));
}

TEST_CASE("hierarchy: a test of gaps that would make a level as small as the one before it is left out") {
  auto results = examples::sweep("global", {32 << 10, 1 << 20, 2 << 20}, {30, 200, 300, 600});
  results.push_back(examples::measured("geometry", {{"path", "global"}, {"test", "fetch"}, {"level", 3}, {"stride", 64}}, 600));
  results.push_back(examples::measured("geometry", {{"path", "global"}, {"test", "gaps"}, {"level", 3}, {"divisor", 1}}, 600));
  results.push_back(examples::measured("geometry", {{"path", "global"}, {"test", "gaps"}, {"level", 3}, {"divisor", 2}}, 300));
  const auto hierarchy = find_hierarchy(results);
  CHECK(level(hierarchy, "global", "L2 far").size_bytes == doctest::Approx(2 << 20).epsilon(0.1));
  CHECK_FALSE(level(hierarchy, "global", "L2 far").line_bytes);
}

TEST_CASE("hierarchy: a level that one of three paths through the same caches shows is doubtful") {
  const auto sweeps = [](const std::vector<std::string>& without) {
    auto results = examples::sweep("scalar", {128 << 10, 512 << 10, 8 << 20}, {30, 150, 280, 680});
    for (const auto& path : without) append(results, examples::sweep(path, {128 << 10, 8 << 20}, {30, 280, 680}));
    return find_hierarchy(results);
  };
  const auto confidence = [](const Hierarchy& hierarchy) { return level(hierarchy, "scalar", "scalar L2").confidence; };
  const auto lone = sweeps({"global", "global-index"});
  const auto one_other = sweeps({"global"});
  REQUIRE(confidence(one_other) > 0.4);
  CHECK(confidence(lone) == doctest::Approx(confidence(one_other) / 2));
  CHECK(level(lone, "scalar", "L1").confidence > 0.45);
  CHECK(level(lone, "global", "L1").confidence > 0.45);
  // Levels behind the lone one may be misread, too.
  CHECK(level(lone, "scalar", "L2").confidence ==
        doctest::Approx(0.69 * level(one_other, "scalar", "L2").confidence).epsilon(0.02));
  // Texture uses other caches.
  CHECK(confidence(sweeps({"global", "texture"})) == doctest::Approx(confidence(one_other)));
}

TEST_CASE("hierarchy: without a core clock latencies are in nanoseconds only") {
  auto results = examples::sweep("global", {32 << 10}, {30, 200});
  for (auto& result : results) result.measurement->statistics.erase("cycles_per_op");
  const auto hierarchy = find_hierarchy(results);
  REQUIRE(hierarchy.levels.size() == 1);
  CHECK_FALSE(hierarchy.levels[0].latency_cycles);
  CHECK(hierarchy.levels[0].latency_ns == doctest::Approx(15));
}

TEST_CASE("hierarchy: edges closer than half again are one edge") {
  const auto results = examples::sweep("global", {32 << 10, 40 << 10}, {30, 120, 200});
  const auto hierarchy = find_hierarchy(results);
  REQUIRE(hierarchy.levels.size() == 1);
  CHECK(static_cast<double>(hierarchy.levels[0].size_bytes) == doctest::Approx(32 << 10).epsilon(0.1));
}

/// Adds a TLB of so many pages of 2 MiB to a walk of the global path in random order: the cost of
/// its misses, and the walks that count its entries, in which a miss costs `counted`.
std::vector<PointResult> translated(std::vector<PointResult> results, std::int64_t entries, double penalty, double counted) {
  constexpr double kPage = 2 << 20;
  const double reach = kPage * static_cast<double>(entries);
  const auto misses = [&](double bytes, double nodes) { return translation_miss_share({reach, kPage, 0}, bytes, nodes, 0); };
  for (auto& result : results) {
    const auto bytes = static_cast<double>(std::get<std::int64_t>(result.point.parameters.at("footprint")));
    result.measurement->statistics.at("cycles_per_op").median += penalty * misses(bytes, bytes / 128);
  }
  const auto add = [&](const char* test, Parameters more, double share) {
    more["path"] = "global";
    more["place"] = "beyond";
    more["test"] = test;
    more["level"] = 1;
    results.push_back(examples::measured("tlb", std::move(more), 200 + counted * share));
  };
  for (double bytes = 1 << 20; bytes <= 0x1p32; bytes *= std::sqrt(2)) {
    add("span", {{"nodes", 4096}, {"span", examples::whole(bytes)}}, misses(bytes, 4096));
  }
  for (std::int64_t step = 1 << 18; step <= 8 << 20; step *= 2) {
    const double share = step > 2 << 20 ? 0 : static_cast<double>(step) / kPage;
    add("page", {{"step", step}, {"columns", examples::whole(1.75 * reach) / step}}, share);
  }
  for (std::int64_t columns = entries - 6; columns <= entries + 6; ++columns) {
    add("entries", {{"step", 2 << 20}, {"columns", columns}}, columns <= entries ? 0 : 1);
  }
  return results;
}

double memory_cycles(const std::vector<PointResult>& results) {
  const auto hierarchy = find_hierarchy(results);
  REQUIRE(hierarchy.tlbs.size() == 1);
  REQUIRE(hierarchy.memory.size() == 1);
  return hierarchy.memory[0].latency_cycles.value();
}

TEST_CASE("hierarchy: a TLB is doubtful if its two walks disagree, its page if a single place counted it") {
  const auto doubted = [](double counted, bool twice) {
    auto results = translated(examples::sweep("global", {32 << 10, 1 << 20}, {30, 200, 600}), 32, 100, 100);
    for (auto& result : results) {
      if (!has_word(result.point.parameters, "test", "entries")) continue;
      double& cycles = result.measurement->statistics.at("cycles_per_op").median;
      cycles = 200 + counted / 100 * (cycles - 200);
    }
    const std::size_t once = results.size();
    for (std::size_t i = 0; twice && i < once; ++i) {
      if (results[i].point.experiment != "tlb") continue;
      results.push_back(results[i]);
      results.back().point.parameters["place"] = "inside";
    }
    const auto hierarchy = find_hierarchy(results);
    REQUIRE(hierarchy.tlbs.size() == 1);
    REQUIRE(hierarchy.tlbs[0].page_bytes == 2 << 20);
    return std::pair{hierarchy.tlbs[0].confidence, hierarchy.tlbs[0].penalty_confidence};
  };
  for (const bool twice : {false, true}) {
    CAPTURE(twice);
    const auto [page, penalty] = doubted(100, twice);
    CHECK(page == penalty);
    CHECK(doubted(104, twice) == std::pair{page, page});
    const auto [same_page, other_penalty] = doubted(107, twice);
    CHECK(same_page == page);
    CHECK(other_penalty == doctest::Approx(twice ? page : 0.69 * page));
    const auto [distorted_page, distorted_penalty] = doubted(130, twice);
    CHECK(distorted_penalty == doctest::Approx(0.69 * page));
    CHECK(distorted_page == page);
  }
}

TEST_CASE("hierarchy: the penalty of a TLB is doubtful if the walks that count its pages scatter") {
  const auto doubt = [](double off) {
    auto results = translated(examples::sweep("global", {32 << 10, 1 << 20}, {30, 200, 600}), 32, 100, 100);
    int sign = 1;
    for (auto& result : results) {
      if (!has_word(result.point.parameters, "test", "entries")) continue;
      result.measurement->statistics.at("cycles_per_op").median += off * (sign = -sign);
    }
    const auto hierarchy = find_hierarchy(results);
    REQUIRE(hierarchy.tlbs.size() == 1);
    return hierarchy.tlbs[0].penalty_confidence / hierarchy.tlbs[0].confidence;
  };
  CHECK(doubt(0) == doctest::Approx(1));
  CHECK(doubt(12) == doctest::Approx(0.69));
}

TEST_CASE("hierarchy: the latency of memory excludes the penalties of the TLBs that were found") {
  // A TLB that reaches less than 1.5 times the last level: all places after it miss.
  const auto short_walk = examples::sweep("global", {32 << 10, 16 << 20}, {30, 200, 600});
  CHECK(memory_cycles(translated(short_walk, 12, 100, 100)) == doctest::Approx(600).epsilon(0.0005));
  // A counted TLB stays, for any fit of penalty and memory by the curve: between 24 and 64 MiB two
  // loads in five miss.
  CHECK(memory_cycles(translated(short_walk, 12, 100, 80)) == doctest::Approx(600 + 20 * 0.4).epsilon(0.0005));
}

TEST_CASE("hierarchy: memory has no latency if the walk ends near the last level") {
  const auto walked_to = [](double bytes) {
    auto results = examples::sweep("global", {32 << 10, 1 << 20}, {30, 200, 600});
    std::erase_if(results, [&](const PointResult& result) {
      return static_cast<double>(std::get<std::int64_t>(result.point.parameters.at("footprint"))) > bytes;
    });
    return find_hierarchy(results);
  };
  const auto short_walk = walked_to(1.45 * 0x1p20);
  CHECK(short_walk.levels.size() == 2);
  REQUIRE(short_walk.memory.size() == 1);
  CHECK_FALSE(short_walk.memory[0].reached);
  CHECK(short_walk.memory[0].confidence == 0);
  CHECK(hierarchy_sentence(short_walk).find("; memory not reached") != std::string::npos);
  CHECK_FALSE(to_json(short_walk).at("memory").at(0).contains("latency_cycles"));
  REQUIRE(walked_to(2.2 * 0x1p20).memory.size() == 1);
  CHECK(walked_to(2.2 * 0x1p20).memory[0].reached);
}

TEST_CASE("hierarchy: if random order is slower for an unknown reason, latencies of neighbours are doubted, too") {
  // 32 neighbours of 128 B share a page of 4 KiB: they pay 1/32 of what random order pays.
  const auto confidence = [](double slower) {
    auto points = examples::sweep("global", {32 << 10, 1 << 20}, {30, 100, 400});
    const auto neighbours = points;
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      const auto bytes = std::get<std::int64_t>(neighbours[i].point.parameters.at("footprint"));
      double& cycles = points[i].measurement->statistics.at("cycles_per_op").median;
      const double together = cycles;
      if (bytes > 32 << 10) cycles *= slower;
      if (bytes < 16 << 10) continue;
      points.push_back(examples::visited_together(bytes, together));
    }
    const auto hierarchy = find_hierarchy(points);
    REQUIRE(hierarchy.levels.size() == 2);
    return hierarchy.levels[1].latency_confidence / hierarchy.levels[0].latency_confidence;
  };
  CHECK(confidence(1.1) == doctest::Approx(1).epsilon(0.01));     // 0.3 %
  CHECK(confidence(1.3) == doctest::Approx(0.69).epsilon(0.01));  // 0.9 %
}

TEST_CASE("hierarchy: the end of a walk through constants is not called memory") {
  const auto constants = find_hierarchy(examples::sweep("constant", {2 << 10}, {34, 104}));
  REQUIRE(constants.memory.size() == 1);
  REQUIRE(constants.memory[0].reached);
  CHECK(hierarchy_sentence(constants).find("constants behind it 104.0 cycles") != std::string::npos);
  CHECK(hierarchy_sentence(constants).find("memory") == std::string::npos);
}

TEST_CASE("hierarchy: if enough places have few TLB misses, they alone give the latency of memory") {
  // Eight per doubling from 1.5 MiB on: 32 before the TLB's reach, where its penalty may be wrong.
  const auto far = examples::sweep("global", {32 << 10, 1 << 20}, {30, 200, 600});
  CHECK(memory_cycles(translated(far, 12, 100, 80)) == doctest::Approx(600).epsilon(0.0005));
}

TEST_CASE("hierarchy: a noisy place has little weight in the latency of memory") {
  auto results = translated(examples::sweep("global", {32 << 10, 1 << 20}, {30, 200, 600}), 12, 100, 100);
  for (auto& result : results) {
    const auto footprint = result.point.parameters.find("footprint");
    if (footprint == result.point.parameters.end() || std::get<std::int64_t>(footprint->second) != 4 << 20) continue;
    auto& cycles = result.measurement->statistics.at("cycles_per_op");
    cycles.median = 660;
    cycles.mad = 60;  // an error of 8 %
  }
  // 2.6 more if all counted alike
  CHECK(memory_cycles(results) == doctest::Approx(600).epsilon(0.0005));
}

TEST_CASE("hierarchy: as JSON, with the names that docs/commands.md documents") {
  const auto json = to_json(find_hierarchy(examples::sweep("global", {32 << 10}, {30, 200})));
  for (const char* name : {"levels", "tlbs", "memory", "private_copies", "sharing"}) CHECK(json.at(name).is_array());
  const auto& one = json.at("levels").at(0);
  for (const char* name : {"path", "name", "size_bytes", "size_low", "size_high", "latency_cycles", "latency_ns", "confidence",
                           "latency_confidence", "evidence"}) {
    CHECK(one.contains(name));
  }
  // Absent, never 0.
  for (const char* name : {"ways", "ways_confidence"}) CHECK_FALSE(one.contains(name));
  CHECK(one.at("size_low").get<std::uint64_t>() <= one.at("size_bytes").get<std::uint64_t>());
  CHECK(one.at("size_bytes").get<std::uint64_t>() <= one.at("size_high").get<std::uint64_t>());
}

TEST_CASE("hierarchy: the sentence") {
  auto hierarchy = find_hierarchy(examples::sweep("global", {32 << 10}, {30, 200}));
  hierarchy.levels[0].size_bytes = 32 << 10;
  hierarchy.levels[0].line_bytes = 128;
  hierarchy.levels[0].ways = 4;
  hierarchy.levels[0].sets = 64;
  hierarchy.levels[0].size_low = hierarchy.levels[0].size_high = 32 << 10;
  set_confidence(hierarchy.levels[0], 0.969);
  hierarchy.memory[0].confidence = 0.999;
  hierarchy.tlbs.push_back({"global", 32 << 20, 2 << 20, 10.0, 5, 1, {}});
  CHECK_WORDS("hierarchy.sentence", hierarchy_sentence(hierarchy));
  hierarchy.levels[0].line_confidence = 0.65;
  CHECK_WORDS("hierarchy.sentence-with-unsure-lines", hierarchy_sentence(hierarchy));
  hierarchy.levels[0].line_confidence = 0.969;
  hierarchy.levels[0].confidence = 0.69;
  hierarchy.levels[0].size_high = 36 << 10;
  CHECK_WORDS("hierarchy.sentence-with-unsure-size", hierarchy_sentence(hierarchy));
  set_confidence(hierarchy.levels[0], 0.69);
  hierarchy.tlbs[0].confidence = 0.5;
  CHECK_WORDS("hierarchy.sentence-with-unsure-levels", hierarchy_sentence(hierarchy));
  hierarchy.memory[0].confidence = 0.5;
  CHECK(hierarchy_sentence(hierarchy).find("confidence") == std::string::npos);
}

TEST_CASE("hierarchy: without levels of global loads the sentence is about the path with the most levels") {
  std::vector<PointResult> results = examples::sweep("texture", {2 << 20}, {200, 660});
  append(results, examples::sweep("global-index", {24 << 10, 2 << 20}, {30, 200, 600}));
  auto hierarchy = find_hierarchy(results);
  CHECK(hierarchy_sentence(hierarchy).find("L1 2") < hierarchy_sentence(hierarchy).find("L2 "));
  CHECK(hierarchy_sentence(hierarchy).find("memory 600.0 cycles") != std::string::npos);
}

TEST_CASE("hierarchy: without levels of global loads the sentence takes the first of equal paths, constants last") {
  std::vector<PointResult> results = examples::sweep("constant", {2 << 10, 32 << 10}, {25, 80, 220});
  append(results, examples::sweep("texture", {24 << 10}, {90, 660}));
  CHECK(hierarchy_sentence(find_hierarchy(results)).find("memory 660.0 cycles") != std::string::npos);
  append(results, examples::sweep("global-index", {24 << 10}, {30, 600}));
  CHECK(hierarchy_sentence(find_hierarchy(results)).find("memory 660.0 cycles") != std::string::npos);
}

TEST_CASE("hierarchy: the sentence names an L1 that only another path shows") {
  std::vector<PointResult> results = examples::sweep("global", {2 << 20}, {200, 600});
  append(results, examples::sweep("texture", {24 << 10, 2 << 20}, {80, 260, 660}));
  const std::string sentence = hierarchy_sentence(find_hierarchy(results));
  CHECK(sentence.find("80.0 cycles (texture)") < sentence.find("L2 2 MiB, 200.0 cycles"));
  CHECK(sentence.find("memory 600.0 cycles") != std::string::npos);
  auto with_constants = examples::sweep("constant", {2 << 10, 32 << 10}, {25, 80, 220});
  append(with_constants, results);
  CHECK(hierarchy_sentence(find_hierarchy(with_constants)) == sentence);
}

TEST_CASE("hierarchy: the tables of levels fit 120 columns with the longest values") {
  Hierarchy hierarchy;
  HierarchyLevel& level = hierarchy.levels.emplace_back();
  level.path = "global-index";
  level.name = "constant L2 near";
  level.size_bytes = level.size_low = 1000 << 10;
  level.size_high = 1234 << 20;
  level.latency_cycles = 12345.6;
  level.latency_ns = 12345.67;
  CHECK(to_text(findings_of(hierarchy).tables).find("Lines and sets") == std::string::npos);
  level.line_bytes = level.sector_bytes = 1000 << 10;
  level.ways = 1024;
  level.sets = 1048576;
  level.replacement = "pseudo-lru";
  set_confidence(level, 1);
  level.line_confidence = 0.6;
  CHECK(to_text(findings_of(hierarchy).tables) == R"(
Levels
  path          level                 size              between  confidence   cycles        ns  in latency
  global-index  constant L2 near  0.98 MiB  0.98 MiB - 1.21 GiB        1.00  12345.6  12345.67        1.00

Lines and sets of the levels
  path          level                 line  conf.    sector  conf.  ways     sets  policy      conf.
  global-index  constant L2 near  0.98 MiB   0.60  0.98 MiB   1.00  1024  1048576  pseudo-lru   1.00
)");
}

TEST_CASE("hierarchy: the map of the chip has a line per grouping, from fine to coarse") {
  Hierarchy hierarchy;
  ChipMap map;
  map.access = "load";
  map.units = 4;
  map.lines = {{250, 250, 260, 260}, {260, 260, 250, 250}};
  map.least = 250;
  map.median = 255;
  map.most = 260;
  map.unit_groups = {{{{0}, {1}, {2, 3}}, 1, 2}, {{{0, 1}, {2, 3}}, 2, 9}};
  hierarchy.chip_maps = {map};
  CHECK(to_text(findings_of(hierarchy).tables) == R"(
Map of the chip
  access  lines  units  least  median   most  unit    units alike         lines alike
  load        2      4  250.0   255.0  260.0  cycles  3 groups of 1 to 2  -
                                                      2 groups of 2
)");
}

}  // namespace
}  // namespace percycle::hierarchy_test
