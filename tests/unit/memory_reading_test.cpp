#include "analysis/memory_reading.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "check_words.hpp"
#include "point_examples.hpp"

namespace percycle::memory_reading_test {
namespace {

/// A level of 1 MiB at 100 cycles and memory at 400, walked up to `end`. Beyond the edge each
/// doubling costs `rise` cycles more.
std::vector<PointResult> walk(double end, double rise, double more = 0) {
  std::vector<PointResult> points;
  for (int step = 0;; ++step) {
    const double bytes = std::floor(1024 * std::exp2(step / 8.0) / 128) * 128;
    if (bytes > end) return points;
    const double beyond = bytes > 0x1p20 ? 300 + more + rise * std::log2(bytes / 0x1p20) : 0;
    points.push_back(examples::measured("latency",
                                        {{"path", "global"},
                                         {"form", "pointer"},
                                         {"lanes", "1"},
                                         {"order", "random"},
                                         {"stride", 128},
                                         {"footprint", examples::whole(bytes)}},
                                        100 + beyond));
  }
}

/// The same walk with neighbours together, from 256 KiB on.
std::vector<PointResult> with_neighbours(std::vector<PointResult> points, const std::vector<PointResult>& neighbours) {
  for (const auto& point : neighbours) {
    const auto bytes = std::get<std::int64_t>(point.point.parameters.at("footprint"));
    if (bytes < 256 << 10) continue;
    points.push_back(examples::visited_together(bytes, point.measurement->statistics.at("cycles_per_op").median));
  }
  return points;
}

HierarchyMemory memory(const std::vector<PointResult>& points, const std::vector<TlbLevel>& tlbs = {},
                       double level_confidence = 1, std::uint64_t size_high = 1 << 20, std::uint64_t inner_high = 1 << 14) {
  const GeometryReader reader(points, "global");
  SeenLevel inner;
  inner.size_low = 1 << 14;
  inner.size_high = inner_high;
  SeenLevel level;
  level.exists = level_confidence;
  level.size_low = 1 << 20;
  level.size_high = size_high;
  const auto found = read_memory(reader, reader.reading(), {inner, level}, "global", tlbs);
  REQUIRE(found);
  return *found;
}

TlbLevel uncounted(double reach) {
  TlbLevel tlb;
  tlb.rough_reach = reach;
  tlb.penalty = 50;
  return tlb;
}

constexpr double kDoubted = 0.69;

TEST_CASE("memory: a long flat plateau behind the last level is certain, as certain as that level") {
  const auto sure = memory(walk(0x1p28, 0));
  CHECK(sure.reached);
  CHECK(sure.latency_cycles == doctest::Approx(400));
  CHECK(sure.confidence > 0.99);
  CHECK(memory(walk(0x1p28, 0), {}, 0.5).confidence == doctest::Approx(0.5).epsilon(0.01));
}

TEST_CASE("memory: a latency that scatters is doubted") {
  const auto scattered = [](double end) {
    auto points = walk(end, 0);
    for (std::size_t i = 0; i < points.size(); ++i) {
      auto& cycles = points[i].measurement->statistics.at("cycles_per_op").median;
      cycles *= 0.98 + 0.02 * static_cast<double>(i % 3);
    }
    return memory(points).confidence;
  };
  CHECK(scattered(0x1p22) == doctest::Approx(kDoubted * memory(walk(0x1p22, 0)).confidence).epsilon(0.01));
}

TEST_CASE("memory: a walk that ends behind the last edge has not reached it") {
  CHECK_FALSE(memory(walk(1.4 * 0x1p20, 0)).reached);
  CHECK_FALSE(memory(walk(1.6 * 0x1p20, 0)).reached);  // a single place beyond
  CHECK(memory(walk(2.1 * 0x1p20, 0)).reached);
}

TEST_CASE("memory: a walk that goes on rising is not there yet") {
  CHECK(memory(walk(0x1p28, 0.5)).confidence > 0.5);
  const auto rising = memory(walk(0x1p28, 10));
  CHECK(rising.confidence < 0.1);
  CHECK(rising.evidence.back().find("still rises") != std::string::npos);
}

TEST_CASE("memory: the evidence names a rise that takes more than half of the confidence") {
  const auto rises = [](const HierarchyMemory& read) {
    return !read.evidence.empty() && read.evidence.back().find("still rises") != std::string::npos;
  };
  const auto more = memory(walk(0x1p28, 1.2));
  CHECK(more.confidence < 0.5);
  CHECK(more.confidence > 0.2);
  CHECK(rises(more));
  const auto less = memory(walk(0x1p28, 0.7));
  CHECK(less.confidence > 0.5);
  CHECK_FALSE(rises(less));
}

/// The walk with a TLB that reaches so far.
std::vector<PointResult> translated(double reach) {
  auto points = walk(0x1p30, 0);
  for (auto& point : points) {
    const auto bytes = static_cast<double>(std::get<std::int64_t>(point.point.parameters.at("footprint")));
    const double penalty = 200 * std::max(0.0, 1 - reach / bytes);
    point = examples::measured("latency", point.point.parameters, (bytes > 0x1p20 ? 400 : 100) + penalty);
  }
  return points;
}

TEST_CASE("memory: a TLB that the walk shows is no rise of the memory, unless it hides the memory") {
  CHECK(memory(translated(0x1p21)).confidence < kDoubted);
  const auto found = memory(translated(0x1p24));
  CHECK(found.reached);
  CHECK(found.latency_cycles.value_or(0) == doctest::Approx(400).epsilon(0.01));
  CHECK(found.confidence > 0.9);
}

TEST_CASE("memory: a walk that rises by more than a tenth shows no plateau") {
  CHECK(memory(walk(0x1p25, 5)).reached);
  CHECK_FALSE(memory(walk(0x1p25, 40)).reached);
}

TEST_CASE("memory: neighbours together are stated, and must agree with random order") {
  const auto apart = [](double more) { return memory(with_neighbours(walk(0x1p28, 0, more), walk(0x1p28, 0))); };
  CHECK(apart(0).confidence > 0.99);
  CHECK(apart(12).confidence > 0.99);  // 3 %, as DRAM pages make it
  CHECK(apart(12).stated_cycles() == doctest::Approx(400));
  CHECK(apart(12).latency_cycles == doctest::Approx(412));
  CHECK(apart(100).confidence == doctest::Approx(kDoubted * 1.05 / 1.25).epsilon(0.01));
}

TEST_CASE("memory: translation that was seen and not counted may be part of the latency") {
  CHECK(memory(walk(0x1p28, 0), {uncounted(32 << 20)}).confidence == doctest::Approx(kDoubted).epsilon(0.01));
  const auto together = with_neighbours(walk(0x1p28, 0, 100), walk(0x1p28, 0));
  const auto large_pages = memory(together, {uncounted(32 << 20)});
  CHECK(large_pages.confidence > 0.99);
  CHECK(large_pages.latency_cycles == doctest::Approx(400));
  // Random order is slower from 1 MiB on. Small pages would then cost even neighbours 1 %.
  CHECK(memory(together, {uncounted(2 << 20)}).confidence > 0.99);
  const auto slow = with_neighbours(walk(0x1p28, 0, 400), walk(0x1p28, 0));
  CHECK(memory(slow, {uncounted(2 << 20)}).confidence == doctest::Approx(kDoubted).epsilon(0.01));
}

TEST_CASE("memory: three flat octaves of neighbours at the end are memory, whatever the levels before") {
  // Behind the level the latency goes on rising up to `rising`.
  const auto flat_from = [](double rising, double end) {
    auto points = walk(end, 0);
    for (auto& point : points) {
      const auto bytes = static_cast<double>(std::get<std::int64_t>(point.point.parameters.at("footprint")));
      const double more = bytes > 0x1p20 ? 300 + 40 * std::log2(std::min(bytes, rising) / 0x1p20) : 0;
      point = examples::measured("latency", point.point.parameters, 100 + more);
    }
    return memory(with_neighbours(points, points), {}, 0.4);
  };
  const auto flat = flat_from(0x1p25, 0x1p28);
  CHECK(flat.confidence > 0.99);
  CHECK(flat.stated_cycles() == doctest::Approx(600));
  CHECK(flat_from(0x1p26, 0x1p28).confidence < kStatedConfidence);
  CHECK(flat_from(0x1p24, 0x1p27).confidence < kStatedConfidence);
}

TEST_CASE("memory: paths through the same memory take the latency of the closest path") {
  const auto path = [](const char* name, double first_cycles) {
    SeenLevel first;
    first.path = name;
    first.size_bytes = 1 << 14;
    first.latency_cycles = first.latency_ns = first_cycles;
    first.plateau = true;
    first.latency_confidence = 0.95;
    return PathLevels{first};
  };
  const auto adopted = [&](double confidence, const char* name, bool plateau, double first_cycles = 39) {
    HierarchyMemory closest;
    closest.path = "global";
    closest.latency_cycles = closest.latency_ns = 400;
    closest.confidence = confidence;
    HierarchyMemory other;
    other.path = name;
    other.reached = false;
    std::vector<HierarchyMemory> memories{closest, other};
    std::vector<PathLevels> paths{path("global", 32), path(name, first_cycles)};
    paths[1][0].plateau = plateau;
    adopt_memory(memories, paths);
    return memories[1];
  };
  const auto found = adopted(0.99, "global-index", true);
  CHECK(found.reached);
  CHECK(found.latency_cycles == doctest::Approx(407));
  CHECK(found.latency_ns == doctest::Approx(407));
  CHECK(found.confidence == 0.95);
  CHECK(adopted(0.9, "scalar", true).confidence == 0.9);
  CHECK_FALSE(adopted(0.99, "texture", true).reached);
  CHECK_FALSE(adopted(0.99, "scalar", false).reached);
  CHECK_FALSE(adopted(0.99, "scalar", true, 20).reached);  // a first cache of its own
  CHECK(adopted(0.99, "global-index", true, 44).latency_cycles == doctest::Approx(412));
}

TEST_CASE("memory: a walk shorter than twice the largest cache does not tell one from the memory") {
  CHECK(memory(walk(0x1p27, 0)).confidence == doctest::Approx(kDoubted).epsilon(0.01));
  CHECK_WORDS("memory.walk-ends", memory(walk(0x1p27, 0)).evidence.back());
  CHECK(memory(walk(0x1p28, 0)).confidence > 0.99);
}

TEST_CASE("memory: behind a level of vague size only neighbours together or counted TLBs show it") {
  TlbLevel counted;
  counted.reach = std::uint64_t{1} << 27;
  counted.page = 2 << 20;
  counted.penalty = counted.walk_penalty = 1;
  CHECK(memory(walk(0x1p28, 0), {counted}, 1, 2 << 20).confidence > 0.9);
  counted.walk_penalty = 2;
  CHECK(memory(walk(0x1p28, 0), {counted}, 1, 2 << 20).confidence < kStatedConfidence);
  const auto points = walk(0x1p28, 0);
  CHECK(memory(points, {}, 1, 2 << 20).confidence == doctest::Approx(kDoubted).epsilon(0.01));
  CHECK(memory(points, {}, 1, 1 << 20, 1 << 15).confidence == doctest::Approx(kDoubted).epsilon(0.01));
  CHECK(memory(with_neighbours(points, points), {}, 1, 2 << 20).confidence > 0.99);
}

}  // namespace
}  // namespace percycle::memory_reading_test
