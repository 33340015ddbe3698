#include "analysis/doubts.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <vector>

namespace percycle::doubts_test {
namespace {

constexpr double kDoubted = 0.69;
constexpr std::uint64_t kMib = 1 << 20;

/// A level that nothing speaks against.
SeenLevel level(const std::string& path, std::uint64_t size) {
  SeenLevel level;
  level.path = path;
  level.size_bytes = level.size_low = level.size_high = size;
  level.latency_ns = 10;
  level.exists = 1;
  set_confidence(level, 1);
  level.lines_asked = true;
  level.plateau = true;
  level.close_steps = true;
  return level;
}

constexpr auto kSizeOf = &HierarchyLevel::confidence;
constexpr auto kLatencyOf = &HierarchyLevel::latency_confidence;

/// The confidence in a figure of one level after `change` and all doubts. The others stay certain,
/// except for figures that share all doubts with it.
double doubted(double HierarchyLevel::*figure, const std::function<void(SeenLevel&)>& change,
               const std::vector<HierarchyTlb>& tlbs = {}) {
  std::vector<PathLevels> paths{{level("global", 4 * kMib)}};
  change(paths[0][0]);
  doubt_levels(paths, tlbs);
  REQUIRE(paths[0].size() == 1);
  CHECK(paths[0][0].*(figure == kLatencyOf ? kSizeOf : kLatencyOf) == paths[0][0].exists);
  return paths[0][0].*figure;
}

HierarchyTlb tlb(std::uint64_t reach, std::optional<std::uint64_t> page) {
  HierarchyTlb tlb;
  tlb.reach_bytes = reach;
  tlb.page_bytes = page;
  return tlb;
}

TEST_CASE("doubts: a level without a contradiction keeps its confidence") {
  CHECK(doubted(kSizeOf, [](SeenLevel&) {}) == 1);
  CHECK(doubted(kSizeOf, [](SeenLevel&) {}, {tlb(64 * kMib, 2 * kMib)}) == 1);
}

TEST_CASE("doubts: in random order two close levels behind the first may be one, split by its pages") {
  const auto sizes = [](double ratio, bool close_steps, const std::string& size_from = "", bool plateau = false,
                        bool uneven = false) {
    std::vector<PathLevels> paths{{level("texture", 64 << 10), level("texture", 4 * kMib), level("texture", kMib)}};
    paths[0][2].size_bytes = static_cast<std::uint64_t>(ratio * 4 * kMib);
    paths[0][2].plateau = plateau;
    paths[0][2].uneven = uneven;
    for (auto& one : paths[0]) {
      one.close_steps = close_steps;
      one.size_from = size_from;
    }
    doubt_levels(paths, {});
    return std::vector<double>{paths[0][0].confidence, paths[0][1].confidence, paths[0][2].confidence};
  };
  CHECK(sizes(2, true) == std::vector<double>{1, 1, 1});
  CHECK(sizes(3, false) == std::vector<double>{1, 1, 1});
  CHECK(sizes(2, false) == std::vector<double>{1, kDoubted, kDoubted});
  // Nor does the other path doubt it.
  CHECK(sizes(2, false, "other") == std::vector<double>{1, 1, 1});
  // Pages at random places leave no plateau between the two.
  CHECK(sizes(2, false, "", true) == std::vector<double>{1, 1, 1});
  CHECK(sizes(2, false, "", true, true)[1] == kDoubted);
}

TEST_CASE("doubts: each doubt puts the figure that it concerns below that of certain statements") {
  CHECK(doubted(kSizeOf, [](SeenLevel& level) { level.lines_asked = false; }) == doctest::Approx(kDoubted));
  CHECK(doubted(kLatencyOf, [](SeenLevel& level) { level.latency_doubtful = true; }) == doctest::Approx(kDoubted));
  CHECK(doubted(kLatencyOf, [](SeenLevel& level) { level.uneven = true; }) == doctest::Approx(kDoubted));
  CHECK(doubted(kSizeOf, [](SeenLevel& level) { level.slight_count = true; }) == doctest::Approx(kDoubted));
  CHECK(doubted(&HierarchyLevel::ways_confidence, [](SeenLevel& level) { level.slight_count = true; }) ==
        doctest::Approx(kDoubted));
  CHECK(doubted(kLatencyOf, [](SeenLevel& level) { level.plateau = false; }) == 1);
}

TEST_CASE("doubts: paths that count other ways, and many ways that another path does not show") {
  const auto certain = [](std::optional<std::uint32_t> global, std::optional<std::uint32_t> texture, bool close_steps = false) {
    std::vector<PathLevels> paths{{level("global", 4 * kMib)}, {level("texture", 4 * kMib)}};
    paths[0][0].ways = global;
    paths[1][0].ways = texture;
    for (auto& path : paths) {
      path[0].line_bytes = 64;
      path[0].close_steps = close_steps;
    }
    doubt_levels(paths, {});
    return std::pair{paths[0][0].confidence == 1, paths[1][0].confidence == 1};
  };
  CHECK(certain(20, 20) == std::pair{true, true});
  CHECK(certain(20, 19) == std::pair{false, false});
  CHECK(certain(16, std::nullopt) == std::pair{true, true});
  CHECK(certain(std::nullopt, 92) == std::pair{true, false});
  CHECK(certain(std::nullopt, 92, true) == std::pair{true, true});
  CHECK(certain(96, 96) == std::pair{true, true});
}

TEST_CASE("doubts: without walks of neighbours a latency needs a plateau, and counted ways a line") {
  const auto derived = [](bool plateau, bool close_steps) {
    return doubted(kLatencyOf, [&](SeenLevel& level) {
      level.plateau = plateau;
      level.close_steps = close_steps;
    });
  };
  CHECK(derived(false, false) == doctest::Approx(kDoubted));
  CHECK(derived(true, false) == 1);
  CHECK(derived(false, true) == 1);
  const auto counted = [](bool close_steps, double before) {
    std::vector<PathLevels> paths{{level("texture", kMib), level("texture", 4 * kMib)}};
    paths[0][0].sector_confidence = before;
    paths[0][1].sector_at_most = true;
    paths[0][1].ways = 9;
    paths[0][1].close_steps = close_steps;
    doubt_geometry(paths);
    return paths[0][1].confidence;
  };
  CHECK(counted(false, 0.24) == doctest::Approx(kDoubted));
  CHECK(counted(false, 0.9) == 1);
  CHECK(counted(true, 0.24) == 1);
}

TEST_CASE("doubts: a TLB of unknown pages may slow a counted level down if no neighbours were walked") {
  const auto doubt = [](bool close_steps, std::uint64_t reach, std::optional<std::uint64_t> page) {
    return doubted(kLatencyOf,
                   [&](SeenLevel& level) {
                     level.ways = 16;
                     level.close_steps = close_steps;
                   },
                   {tlb(reach, page)});
  };
  CHECK(doubt(false, kMib, std::nullopt) == doctest::Approx(kDoubted));
  CHECK(doubt(true, kMib, std::nullopt) == 1);
  CHECK(doubt(false, 8 * kMib, std::nullopt) == 1);
  CHECK(doubt(false, kMib, 2 * kMib) == 1);
}

TEST_CASE("doubts: tests that contradict each other doubt the line or the sector, whichever they ask for") {
  std::vector<PathLevels> paths{{level("global", kMib), level("global", 4 * kMib), level("global", 16 * kMib)}};
  paths[0][1].line_disputed = true;
  paths[0][2].sector_disputed = true;
  doubt_geometry(paths);
  CHECK(least_confidence(paths[0][0]) == 1);
  CHECK(paths[0][1].line_confidence == doctest::Approx(kDoubted));
  CHECK(paths[0][1].sector_confidence == 1);
  CHECK(paths[0][1].ways_confidence == 1);
  CHECK(paths[0][1].confidence == 1);
  CHECK(paths[0][2].line_confidence == 1);
  CHECK(paths[0][2].sector_confidence == doctest::Approx(kDoubted));
  // Tests of lines begin at the sector.
  const auto line_of = [](std::uint64_t line_bytes) {
    std::vector<PathLevels> path{{level("global", kMib)}};
    path[0][0].sector_disputed = true;
    path[0][0].sector_bytes = 64;
    path[0][0].line_bytes = line_bytes;
    doubt_geometry(path);
    return path[0][0].line_confidence;
  };
  CHECK(line_of(128) == 1);
  CHECK(line_of(64) == doctest::Approx(kDoubted));
}

TEST_CASE("doubts: a line and sector are no more certain than the sector of the level before, which hides them") {
  std::vector<PathLevels> paths{{level("global", kMib), level("global", 4 * kMib), level("global", 16 * kMib)}};
  paths[0][0].line_confidence = 0.2;
  paths[0][0].sector_confidence = 0.4;
  paths[0][2].sector_at_most = true;
  doubt_geometry(paths);
  CHECK(paths[0][1].line_confidence == 1);
  CHECK(paths[0][2].line_confidence == 1);
  paths[0][1].sector_at_most = true;
  doubt_geometry(paths);
  CHECK(paths[0][1].line_confidence == 0.4);
  CHECK(paths[0][1].sector_confidence == 0.4);
  CHECK(paths[0][2].line_confidence == 0.4);
  CHECK(paths[0][2].confidence == 1);
}

TEST_CASE("doubts: a latency whose errors exceed 1 % and one cycle") {
  const auto noisy = [](double error, std::optional<double> cycles) {
    return doubted(kLatencyOf, [&](SeenLevel& level) {
      level.latency_error = error;
      level.latency_cycles = cycles;
    });
  };
  CHECK(noisy(0.0039, std::nullopt) == 1);
  CHECK(noisy(0.0041, std::nullopt) == doctest::Approx(kDoubted));
  CHECK(noisy(0.0041, 200) == doctest::Approx(kDoubted));
  CHECK(noisy(0.0041, 50) == 1);  // a cycle is 2 %
}

TEST_CASE("doubts: a fetch larger than another path shows of the same cache") {
  const auto fetching = [](std::uint64_t texture, bool at_most) {
    std::vector<PathLevels> paths{{level("global", kMib)}, {level("texture", kMib)}};
    paths[0][0].sector_bytes = 64;
    paths[1][0].sector_bytes = texture;
    paths[1][0].sector_at_most = at_most;
    doubt_levels(paths, {});
    CHECK(paths[1][0].confidence == 1);
    return std::pair(paths[0][0].sector_confidence, paths[1][0].sector_confidence);
  };
  CHECK(fetching(64, false) == std::pair(1.0, 1.0));
  CHECK(fetching(256, false) == std::pair(1.0, kDoubted));
  CHECK(fetching(32, false) == std::pair(kDoubted, 1.0));
  CHECK(fetching(256, true) == std::pair(1.0, 1.0));  // an inner level hides it
}

TEST_CASE("doubts: a size of a closer look is as certain as there") {
  const auto adopted = [](double source, const std::string& from) {
    std::vector<PathLevels> paths{{level("global", kMib)}, {level("scalar", kMib)}};
    paths[0][0].confidence = source;
    paths[1][0].confidence = 0.9;
    paths[1][0].size_from = from;
    doubt_adopted_figures(paths);
    return paths[1][0].confidence;
  };
  CHECK(adopted(0.6, "global") == 0.6);
  CHECK(adopted(0.95, "global") == 0.9);
  CHECK(adopted(0.6, "") == 0.9);
  CHECK(adopted(0.6, "texture") == 0.3);  // its doubts removed it
}

TEST_CASE("doubts: a latency of a closer look is as certain as there, and needs no plateau of its own") {
  const auto adopted = [](double source, bool latency_adopted) {
    std::vector<PathLevels> paths{{level("global", kMib)}, {level("scalar", kMib)}};
    paths[0][0].latency_confidence = source;
    paths[1][0].size_from = "global";
    paths[1][0].latency_adopted = latency_adopted;
    paths[1][0].plateau = paths[1][0].close_steps = false;
    doubt_levels(paths, {});
    doubt_adopted_figures(paths);
    CHECK(paths[1][0].confidence == 1);
    return paths[1][0].latency_confidence;
  };
  CHECK(adopted(0.9, true) == 0.9);
  CHECK(adopted(0.6, true) == 0.6);
  CHECK(adopted(0.6, false) == doctest::Approx(kDoubted));
}

TEST_CASE("doubts: scalar loads may have a first cache of their own, but other levels need another path") {
  const auto scalar = [](double first_ns, const std::string& path) {
    std::vector<PathLevels> paths{{level("global", 64 << 10), level("global", 4 * kMib)},
                                  {level("global-index", 64 << 10), level("global-index", 4 * kMib)},
                                  {level(path, 16 << 10), level(path, 4 * kMib)}};
    paths[2][0].latency_ns = first_ns;
    doubt_levels(paths, {});
    REQUIRE(paths[2].size() == 2);
    return std::pair(paths[2][0].exists, paths[2][1].latency_confidence);
  };
  CHECK(scalar(5, "scalar") == std::pair(1.0, 1.0));
  CHECK(scalar(10, "scalar").first == 0.5);  // as fast as the first cache of path global
  CHECK(scalar(10, "scalar").second < 0.5);
}

TEST_CASE("doubts: the distance of a path to the closest path changes from level to level") {
  const auto outer = [](double latency_ns) {
    std::vector<PathLevels> paths{{level("global", kMib), level("global", 4 * kMib)},
                                  {level("scalar", kMib), level("scalar", 4 * kMib)}};
    paths[0][1].latency_ns = 100;
    paths[1][0].latency_ns = 14;
    paths[1][1].latency_ns = latency_ns;
    doubt_levels(paths, {});
    CHECK(paths[0][1].latency_confidence == 1);
    CHECK(paths[1][0].latency_confidence == 1);
    CHECK(paths[1][1].confidence == 1);
    return paths[1][1].latency_confidence;
  };
  CHECK(outer(104) == 1);
  CHECK(outer(105.9) == 1);
  CHECK(outer(106.1) == doctest::Approx(kDoubted));
  CHECK(outer(70) == doctest::Approx(kDoubted));
}

TEST_CASE("doubts: a walked path that does not begin with the closest path's first level") {
  const auto walked = [](const std::vector<PathLevels>& others) {
    std::vector<PathLevels> paths = others;
    paths.push_back({level("scalar", kMib), level("scalar", 4 * kMib)});
    doubt_levels(paths, {});
    CHECK(paths.back().back().confidence == 1);
    return paths.back().back().latency_confidence;
  };
  CHECK(walked({{level("global", kMib), level("global", 4 * kMib)}}) == 1);
  CHECK(walked({{level("global", 4 * kMib)}}) == doctest::Approx(kDoubted));
  CHECK(walked({{level("texture", kMib), level("texture", 4 * kMib)}}) == doctest::Approx(kDoubted));
}

TEST_CASE("doubts: a wide range holds the size as surely as a narrow one, and lowers no other figure") {
  for (const auto figure : kEveryFigure) {
    CHECK(doubted(figure, [](SeenLevel& level) { level.size_high = 3 * level.size_low; }) == 1);
  }
}

TEST_CASE("doubts: a TLB with uncounted pages may be the level of its reach") {
  const auto none = [](SeenLevel&) {};
  for (const auto figure : kEveryFigure) {
    CHECK(doubted(figure, none, {tlb(4 * kMib, std::nullopt)}) == doctest::Approx(kDoubted));
    CHECK(doubted(figure, none, {tlb(4 * kMib, 64 << 10)}) == 1);
    CHECK(doubted(figure, [](SeenLevel& level) { level.ways = 16; }, {tlb(4 * kMib, std::nullopt)}) == 1);
  }
}

TEST_CASE("doubts: an edge in random order beyond the size of any cache may be that of a TLB") {
  const auto beyond = [](std::uint64_t size, bool close_steps) {
    return doubted(kLatencyOf, [&](SeenLevel& level) {
      level.size_bytes = level.size_low = level.size_high = size;
      level.close_steps = close_steps;
    });
  };
  CHECK(beyond(257 * kMib, false) == doctest::Approx(kDoubted));
  CHECK(beyond(256 * kMib, false) == 1);
  CHECK(beyond(512 * kMib, true) == 1);
}

TEST_CASE("doubts: a latency without a plateau behind a level without a certain end") {
  std::vector<PathLevels> paths{{level("global", kMib), level("global", 4 * kMib)}};
  paths[0][0].size_high = 2 * kMib;
  doubt_levels(paths, {});
  CHECK(paths[0][1].latency_confidence == 1);
  paths[0][1].plateau = false;
  auto counted = paths;
  counted[0][1].ways = 16;
  auto narrow = paths;
  narrow[0][0].size_high = kMib + kMib / 5;
  doubt_levels(paths, {});
  CHECK(paths[0][1].latency_confidence == doctest::Approx(kDoubted));
  CHECK(paths[0][1].confidence == doctest::Approx(kDoubted));
  CHECK(paths[0][1].line_confidence == 1);
  doubt_levels(counted, {});
  CHECK(counted[0][1].latency_confidence == doctest::Approx(kDoubted));
  CHECK(counted[0][1].confidence == 1);
  doubt_levels(narrow, {});
  CHECK(narrow[0][1].latency_confidence == 1);
}

TEST_CASE("doubts: small pages disturb the tests of levels beyond their reach") {
  const auto none = [](SeenLevel&) {};
  CHECK(doubted(kLatencyOf, none, {tlb(kMib, 4096)}) == doctest::Approx(kDoubted));
  CHECK(doubted(kLatencyOf, none, {tlb(8 * kMib, 4096)}) == 1);
  CHECK(doubted(kLatencyOf, none, {tlb(kMib, 64 << 10)}) == 1);
  CHECK(doubted(kLatencyOf, none, {tlb(kMib, std::nullopt)}) == doctest::Approx(kDoubted));
  CHECK(doubted(kLatencyOf, [](SeenLevel& level) { level.ways = 16; }, {tlb(kMib, 4096)}) == doctest::Approx(kDoubted));
  CHECK(doubted(kLatencyOf, [](SeenLevel& level) { level.ways = 16; }, {tlb(kMib, std::nullopt)}) == 1);
  // Random order is no slower than neighbours visited together.
  CHECK(doubted(kLatencyOf, [](SeenLevel& level) { level.together = true; }, {tlb(kMib, 4096)}) == 1);
  const auto slower = [](SeenLevel& level) {
    level.together = true;
    level.small_page_share = 0.006;
  };
  CHECK(doubted(kLatencyOf, slower, {tlb(kMib, 4096)}) < kDoubted);
}

TEST_CASE("doubts: levels behind a doubtful level are doubtful, too; those without confidence are gone") {
  std::vector<PathLevels> paths{{level("global", kMib), level("global", 16 * kMib), level("global", 64 * kMib)}};
  doubt_levels(paths, std::vector{tlb(16 * kMib, std::nullopt)});
  REQUIRE(paths[0].size() == 3);
  CHECK(paths[0][0].confidence == 1);
  CHECK(paths[0][1].confidence == doctest::Approx(kDoubted));
  CHECK(paths[0][2].confidence == doctest::Approx(kDoubted));
  std::vector<PathLevels> weak{{level("global", kMib)}};
  weak[0][0].exists = 0.29;
  doubt_levels(weak, {});
  CHECK(weak[0].empty());
}

TEST_CASE("doubts: a TLB is only as certain as the caches around which its walks are laid out") {
  const auto doubted_tlb = [](const std::vector<PathLevels>& paths) {
    std::vector<HierarchyTlb> tlbs{tlb(64 * kMib, 2 * kMib)};
    tlbs[0].confidence = 1;
    doubt_tlbs(tlbs, paths);
    return tlbs[0].confidence;
  };
  SeenLevel vague = level("global", kMib);
  vague.size_high = 2 * kMib;
  CHECK(doubted_tlb({{level("global", kMib)}}) == 1);
  CHECK(doubted_tlb({{vague, level("global", 16 * kMib)}}) == 1);
  CHECK(doubted_tlb({{vague}}) == doctest::Approx(kDoubted));
  CHECK(doubted_tlb({{vague}, {level("scalar", kMib)}}) == doctest::Approx(kDoubted));
  CHECK(doubted_tlb({{}}) == doctest::Approx(kDoubted));
}

}  // namespace
}  // namespace percycle::doubts_test
