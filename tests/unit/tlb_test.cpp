#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <set>

#include "analysis/tlb.hpp"
#include "analysis/translation.hpp"
#include "experiments/experiment.hpp"
#include "fake_device.hpp"
#include "point_examples.hpp"
#include "scripted_latency.hpp"

namespace percycle::tlb_test {
namespace {

using examples::measured;

constexpr std::int64_t kNodes = 4096;

PointResult span(double mebibytes, double cycles, const char* place = "beyond") {
  return measured(
      "tlb",
      {{"path", "global"}, {"place", place}, {"test", "span"}, {"nodes", kNodes}, {"span", examples::whole(mebibytes * 1048576)}},
      cycles);
}

PointResult steps(const char* test, std::int64_t level, std::int64_t step, std::int64_t columns, double cycles) {
  return measured("tlb",
                  {{"path", "global"},
                   {"place", "beyond"},
                   {"test", test},
                   {"level", level},
                   {"step", step},
                   {"columns", columns},
                   {"nodes", kNodes}},
                  cycles);
}

/// A random walk of kNodes over growing spans: 200 cycles, 100 more beyond 32 MiB (pages of 2 MiB),
/// `more` beyond 1 GiB.
std::vector<PointResult> spans(double more) {
  std::vector<PointResult> points;
  const auto misses = [](double reach, double bytes) {
    if (bytes <= reach) return 0.0;
    const double visits = std::max(1.0, kNodes * 2.0 / bytes);
    return std::pow(1 - reach / bytes, (visits - 1) / visits);
  };
  for (double mebibytes = 1; mebibytes <= 8192; mebibytes *= std::sqrt(2)) {
    points.push_back(span(mebibytes, 200 + 100 * misses(32, mebibytes) + more * misses(1024, mebibytes)));
  }
  return points;
}

TEST_CASE("tlb: reach and penalty of one level from the random walk") {
  const auto results = spans(0);
  const TlbReader reader(results, "global", "beyond");
  REQUIRE(reader.levels().size() == 1);
  CHECK(reader.levels()[0].rough_reach == doctest::Approx(32 << 20).epsilon(0.08));
  CHECK(reader.levels()[0].penalty == doctest::Approx(100).epsilon(0.04));
  CHECK_FALSE(reader.levels()[0].page);
  CHECK(TlbReader(results, "global", "inside").levels().empty());
}

TEST_CASE("tlb: hits of the first cache that no span slows down show a look-up by virtual address") {
  const auto said = [](const std::vector<PointResult>& points) {
    const auto levels = best_tlb_levels(points, "global");
    REQUIRE_FALSE(levels.empty());
    return levels[0].evidence.back().ends_with("over spans up to 8 GiB: it is looked up by virtual address");
  };
  auto results = spans(0);
  CHECK_FALSE(said(results));
  for (double mebibytes = 1; mebibytes <= 8192; mebibytes *= 2) results.push_back(span(mebibytes, 30, "inside"));
  CHECK(said(results));
  // Spans of 6 and 12 times the reach of 32 MiB: beyond 8 times nearly all loads miss.
  for (const double times : {6, 12}) {
    auto shorter = spans(0);
    for (double mebibytes = 1; mebibytes < 32 * times; mebibytes *= 2) shorter.push_back(span(mebibytes, 30, "inside"));
    shorter.push_back(span(32 * times, 30, "inside"));
    CHECK(best_tlb_levels(shorter, "global").at(0).evidence.back().ends_with("looked up by virtual address") == (times > 8));
  }
  // Hits slow down, too.
  for (auto& result : results) {
    if (has_word(result.point.parameters, "place", "inside") && integer(result.point.parameters, "span") > 64 << 20)
      result = span(static_cast<double>(integer(result.point.parameters, "span")) / 1048576, 130, "inside");
  }
  CHECK_FALSE(said(results));
}

TEST_CASE("tlb: a table with sets is counted by the ramp of its misses") {
  auto results = spans(0);
  for (std::int64_t step = 1 << 18; step <= 8 << 20; step *= 2) {
    const double share = step > 2 << 20 ? 0 : static_cast<double>(step) / (2 << 20);
    results.push_back(steps("page", 1, step, (48 << 20) / step, 200 + 100 * share));
  }
  // 16 entries of 2 MiB would be too few to see a ramp: the same with pages of 32 KiB.
  for (auto& result : results) {
    if (result.point.parameters.contains("step")) result.point.parameters["step"] = integer(result.point.parameters, "step") / 64;
  }
  for (std::int64_t columns = 960; columns <= 1400; columns += 8) {
    const double share = std::min(1.0, std::max(0.0, static_cast<double>(columns - 1024) / 256));
    results.push_back(steps("entries", 1, 32 << 10, columns, 200 + 100 * share));
  }
  const TlbReader reader(results, "global", "beyond");
  REQUIRE(reader.levels().size() == 1);
  const TlbLevel& level = reader.levels()[0];
  CHECK(level.page == 32u << 10);
  CHECK(level.ways == 4);
  CHECK(static_cast<double>(level.reach.value_or(0)) == doctest::Approx(32 << 20).epsilon(0.01));
  CHECK(level.penalty == doctest::Approx(100).epsilon(0.02));
}

TEST_CASE("tlb: two levels, and none where nothing rises") {
  const TlbReader two(spans(150), "global", "beyond");
  REQUIRE(two.levels().size() == 2);
  CHECK(two.levels()[1].rough_reach == doctest::Approx(1 << 30).epsilon(0.1));
  CHECK(two.levels()[1].penalty == doctest::Approx(150).epsilon(0.06));
  std::vector<PointResult> flat;
  for (double mebibytes = 1; mebibytes <= 8192; mebibytes *= 2) flat.push_back(span(mebibytes, 200));
  CHECK(TlbReader(flat, "global", "beyond").levels().empty());
}

TEST_CASE("tlb: the page is the step that misses most, the reach the pages that fit") {
  auto results = spans(0);
  for (std::int64_t step = 1 << 18; step <= 8 << 20; step *= 2) {
    const double share = step > 2 << 20 ? 0 : static_cast<double>(step) / (2 << 20);
    results.push_back(steps("page", 1, step, (48 << 20) / step, 200 + 100 * share));
  }
  {
    const TlbReader reader(results, "global", "beyond");
    CHECK(reader.levels()[0].page == 2u << 20);
    CHECK_FALSE(reader.levels()[0].reach);
  }
  for (std::int64_t columns = 12; columns <= 20; ++columns)
    results.push_back(steps("entries", 1, 2 << 20, columns, columns <= 16 ? 201 : 299));
  const TlbReader reader(results, "global", "beyond");
  REQUIRE(reader.levels().size() == 1);
  CHECK(reader.levels()[0].reach == 32u << 20);
  CHECK(reader.levels()[0].penalty == doctest::Approx(98));  // by the pages, not by the walk
  CHECK(reader.levels()[0].confidence > 0.9);
  CHECK(reader.bracket(0).fits == 16);
  CHECK(reader.bracket(0).misses == 17);
}

TEST_CASE("tlb: a rise that walking page by page does not show was no TLB's") {
  auto results = spans(0);
  for (std::int64_t step = 1 << 18; step <= 8 << 20; step *= 2) {
    results.push_back(steps("page", 1, step, (48 << 20) / step, step == 2 << 20 ? 290 : 200));
  }
  for (const auto& [columns, cycles] : {std::pair(14, 240), {15, 240}, {16, 240}, {17, 260}, {18, 260}}) {
    results.push_back(steps("entries", 1, 2 << 20, columns, cycles));
  }
  CHECK(TlbReader(results, "global", "beyond").levels().empty());
}

TEST_CASE("tlb: spans that conflict in a cache, or lie nearer than others, are left out") {
  for (const double disturbed : {260.0, 170.0}) {
    // 4 and 11 MiB, before the rise
    for (const std::size_t which : {std::size_t{4}, std::size_t{7}}) {
      CAPTURE(disturbed);
      CAPTURE(which);
      auto results = spans(0);
      const double mebibytes = std::exp2(static_cast<double>(which) / 2);
      results[which] = span(mebibytes, disturbed);
      const TlbReader reader(results, "global", "beyond");
      REQUIRE(reader.levels().size() == 1);
      CHECK(reader.levels()[0].rough_reach == doctest::Approx(32 << 20).epsilon(0.08));
      CHECK(reader.levels()[0].penalty == doctest::Approx(100).epsilon(0.04));
    }
  }
}

TEST_CASE("tlb: the shortest step that there was room for is no page if it misses always") {
  auto results = spans(0);
  for (std::int64_t step = 2 << 20; step <= 8 << 20; step *= 2) {
    results.push_back(steps("page", 1, step, (48 << 20) / step, step == 2 << 20 ? 300 : 200));
  }
  CHECK_FALSE(TlbReader(results, "global", "beyond").levels()[0].page);
}

PointResult page_walk(std::int64_t level, std::int64_t step, std::int64_t stride, std::int64_t columns, double cycles) {
  auto result = steps("page", level, step, columns, cycles);
  result.point.parameters["stride"] = stride;
  return result;
}

TEST_CASE("tlb: a stride somewhat longer than its step touches more pages than the step says") {
  // Strides of 1.5 steps: half a page misses three quarters.
  auto results = spans(0);
  for (std::int64_t step = 1 << 18; step <= 8 << 20; step *= 2) {
    const double share = step > 2 << 20 ? 0 : std::min(1.0, 1.5 * static_cast<double>(step) / (2 << 20));
    results.push_back(page_walk(1, step, step + step / 2, (56 << 20) / step, 200 + 100 * share));
  }
  CHECK(TlbReader(results, "global", "beyond").levels()[0].page == 2u << 20);
}

TEST_CASE("tlb: few lines that a cache serves are no base of the page test") {
  auto results = spans(0);
  for (std::int64_t step = 1 << 18; step <= 8 << 20; step *= 2) {
    const double share = step > 2 << 20 ? 0 : static_cast<double>(step) / (2 << 20);
    results.push_back(page_walk(1, step, step, (56 << 20) / step, step == 8 << 20 ? 130 : 200 + 100 * share));
  }
  CHECK(TlbReader(results, "global", "beyond").levels()[0].page == 2u << 20);
}

TEST_CASE("tlb: the cost of the levels before is taken off the page test of a level of longer pages") {
  // 16 pages of 2 MiB, then 64 of 16 MiB; a miss of the first costs more than one of the second.
  auto results = spans(60);
  for (std::int64_t step = 1 << 18; step <= 8 << 20; step *= 2) {
    const double share = step > 2 << 20 ? 0 : static_cast<double>(step) / (2 << 20);
    results.push_back(page_walk(1, step, step, (56 << 20) / step, 200 + 100 * share));
  }
  for (std::int64_t columns = 12; columns <= 24; ++columns)
    results.push_back(steps("entries", 1, 2 << 20, columns, columns <= 16 ? 200 : 300));
  for (std::int64_t step = 1 << 20; step <= 256 << 20; step *= 2) {
    const std::int64_t columns = (std::int64_t{1792} << 20) / step;
    const double first = columns > 16 ? std::min(1.0, static_cast<double>(step) / (2 << 20)) : 0;
    const double second = step > 16 << 20 ? 0 : static_cast<double>(step) / (16 << 20);
    results.push_back(page_walk(2, step, step, columns, 200 + 100 * first + 60 * second));
  }
  const TlbReader reader(results, "global", "beyond");
  REQUIRE(reader.levels().size() == 2);
  CHECK(reader.levels()[0].reach == 32u << 20);
  CHECK(reader.levels()[1].page == 16u << 20);
}

/// Walks page by page over 12 to 24 pages of 2 MiB, of which 16 fit.
std::vector<PointResult> with_pages(std::vector<PointResult> results, double below, double above) {
  for (std::int64_t step = 1 << 18; step <= 8 << 20; step *= 2) {
    const double share = step > 2 << 20 ? 0 : static_cast<double>(step) / (2 << 20);
    results.push_back(steps("page", 1, step, (48 << 20) / step, below + (above - below) * share));
  }
  for (std::int64_t columns = 12; columns <= 24; ++columns) {
    results.push_back(steps("entries", 1, 2 << 20, columns, columns <= 16 ? below : above));
  }
  return results;
}

TEST_CASE("tlb: a single walk page by page that is slower or quicker than its neighbours moves no reach") {
  for (const std::int64_t columns : {12, 14, 19, 24}) {
    for (const double cycles : {120.0, 500.0}) {
      CAPTURE(columns);
      CAPTURE(cycles);
      auto results = with_pages(spans(0), 200, 300);
      for (auto& result : results) {
        const auto& parameters = result.point.parameters;
        if (std::get<std::string>(parameters.at("test")) == "entries" &&
            std::get<std::int64_t>(parameters.at("columns")) == columns) {
          result = steps("entries", 1, 2 << 20, columns, cycles);
        }
      }
      const TlbReader reader(results, "global", "beyond");
      REQUIRE(reader.levels().size() == 1);
      CHECK(reader.bracket(0).fits == 16);
      CHECK(reader.levels()[0].reach == 32u << 20);
    }
  }
}

TEST_CASE("tlb: a quick walk at the last count does not lower the penalty") {
  auto results = with_pages(spans(0), 200, 300);
  std::erase_if(results, [](const PointResult& result) {
    const auto& parameters = result.point.parameters;
    const auto columns = integer_or(parameters, "columns", 0);
    return has_word(parameters, "test", "entries") && (columns < 14 || columns > 18);
  });
  results.push_back(steps("entries", 1, 2 << 20, 19, 210));
  const TlbReader reader(results, "global", "beyond");
  REQUIRE(reader.levels().size() == 1);
  CHECK(reader.levels()[0].penalty == doctest::Approx(100));
}

TEST_CASE("tlb: a rise that one exact step explains is not two levels") {
  // A cache makes the walk rise from 16 MiB on; walked page by page, all of the rise is the step at
  // 32 MiB.
  std::vector<PointResult> results;
  for (double mebibytes = 1; mebibytes <= 8192; mebibytes *= std::sqrt(2)) {
    const auto misses = [&](double reach) { return mebibytes > reach ? 1 - reach / mebibytes : 0; };
    results.push_back(span(mebibytes, 200 + 50 * misses(12) + 100 * misses(60)));
  }
  const auto two = TlbReader(results, "global", "beyond").levels();
  REQUIRE(two.size() == 2);
  const std::int64_t second = two[1].rough_reach > two[0].rough_reach ? 2 : 1;
  for (std::int64_t step = 1 << 18; step <= 8 << 20; step *= 2) {
    const double share = step > 2 << 20 ? 0 : static_cast<double>(step) / (2 << 20);
    results.push_back(steps("page", second, step, (90 << 20) / step, 200 + 150 * share));
  }
  for (std::int64_t columns = 22; columns <= 40; ++columns) {
    results.push_back(steps("entries", second, 2 << 20, columns, columns <= 30 ? 200 : 350));
  }
  const auto one = TlbReader(results, "global", "beyond").levels();
  REQUIRE(one.size() == 1);
  CHECK(one[0].reach == 60u << 20);
  CHECK(one[0].penalty == doctest::Approx(150));
}

TEST_CASE("tlb: the place with more information gives the levels") {
  auto results = spans(0);
  CHECK(best_tlb_levels(results, "global").size() == 1);
  for (double mebibytes = 1; mebibytes <= 8192; mebibytes *= std::sqrt(2)) {
    results.push_back(span(mebibytes, mebibytes > 4 ? 60 - 20 * 4 / mebibytes : 40, "inside"));
  }
  CHECK(best_tlb_levels(results, "global")[0].rough_reach == doctest::Approx(32 << 20).epsilon(0.08));
}

TEST_CASE("tlb: a rough reading at one place may be exact at another") {
  // Beyond the first cache there is no room to walk the 64 MiB level page by page.
  std::vector<PointResult> results;
  for (double mebibytes = 1; mebibytes <= 8192; mebibytes *= std::sqrt(2)) {
    const auto misses = [&](double reach) { return mebibytes > reach ? 1 - reach / mebibytes : 0; };
    results.push_back(span(mebibytes, 100 + 60 * misses(4) + 100 * misses(60)));
    results.push_back(span(mebibytes, 300 + 100 * misses(60), "outside"));
  }
  for (std::int64_t step = 1 << 16; step <= 1 << 20; step *= 2) {
    const double share = step > 1 << 18 ? 0 : static_cast<double>(step) / (1 << 18);
    results.push_back(steps("page", 1, step, (6 << 20) / step, 100 + 60 * share));
  }
  for (std::int64_t columns = 12; columns <= 20; ++columns) {
    results.push_back(steps("entries", 1, 1 << 18, columns, columns <= 16 ? 100 : 160));
  }
  const auto rough = best_tlb_levels(results, "global");
  REQUIRE(rough.size() == 2);
  CHECK_FALSE(rough[1].reach);
  const auto outside = [&](PointResult result) {
    result.point.parameters["place"] = "outside";
    results.push_back(std::move(result));
  };
  for (std::int64_t step = 1 << 18; step <= 8 << 20; step *= 2) {
    const double share = step > 2 << 20 ? 0 : static_cast<double>(step) / (2 << 20);
    outside(steps("page", 1, step, (90 << 20) / step, 300 + 100 * share));
  }
  for (std::int64_t columns = 22; columns <= 40; ++columns) {
    outside(steps("entries", 1, 2 << 20, columns, columns <= 30 ? 300 : 400));
  }
  const auto levels = best_tlb_levels(results, "global");
  REQUIRE(levels.size() == 2);
  CHECK(levels[0].reach == 4u << 20);
  CHECK(levels[1].reach == 60u << 20);
}

TEST_CASE("tlb: a level that the shortest span of one place exceeds may be as small as another place says") {
  std::vector<PointResult> results;
  const auto misses = [](double reach, double mebibytes) { return mebibytes > reach ? 1 - reach / mebibytes : 0; };
  for (double mebibytes = 1; mebibytes <= 8192; mebibytes *= std::sqrt(2)) {
    results.push_back(span(mebibytes, 200 + 60 * misses(4, mebibytes)));
    if (mebibytes >= 11)
      results.push_back(span(mebibytes, 300 + 60 * misses(4, mebibytes) + 100 * misses(200, mebibytes), "outside"));
  }
  const auto outside = TlbReader(results, "global", "outside").levels();
  REQUIRE(outside.size() == 2);
  CHECK(outside[0].at_most);
  CHECK_FALSE(outside[1].at_most);
  for (std::int64_t step = 1 << 16; step <= 1 << 20; step *= 2) {
    const double share = step > 1 << 18 ? 0 : static_cast<double>(step) / (1 << 18);
    results.push_back(steps("page", 1, step, (6 << 20) / step, 200 + 60 * share));
  }
  for (std::int64_t columns = 12; columns <= 20; ++columns) {
    results.push_back(steps("entries", 1, 1 << 18, columns, columns <= 16 ? 200 : 260));
  }
  for (std::int64_t step = 1 << 20; step <= 16 << 20; step *= 2) {
    const double share = step > 4 << 20 ? 0 : static_cast<double>(step) / (4 << 20);
    results.push_back(steps("page", 2, step, (300 << 20) / step, 360 + 100 * share));
    results.back().point.parameters["place"] = "outside";
  }
  for (std::int64_t columns = 40; columns <= 60; ++columns) {
    results.push_back(steps("entries", 2, 4 << 20, columns, columns <= 50 ? 360 : 460));
    results.back().point.parameters["place"] = "outside";
  }
  const auto levels = best_tlb_levels(results, "global");
  REQUIRE(levels.size() == 2);
  CHECK(levels[0].reach == 4u << 20);
  CHECK(levels[1].reach == 200u << 20);
}

TEST_CASE("tlb: places that counted the same entries share the cost of a miss, a distant one does not") {
  for (const double inside : {94.0, 60.0}) {
    CAPTURE(inside);
    std::vector<PointResult> results;
    for (const bool beyond : {true, false}) {
      const double hit = beyond ? 200 : 30;
      const double penalty = beyond ? 100 : inside;
      auto here = spans(0);
      for (std::int64_t step = 1 << 18; step <= 8 << 20; step *= 2) {
        const double share = step > 2 << 20 ? 0 : static_cast<double>(step) / (2 << 20);
        here.push_back(steps("page", 1, step, (48 << 20) / step, 200 + 100 * share));
      }
      for (std::int64_t columns = 12; columns <= 20; ++columns)
        here.push_back(steps("entries", 1, 2 << 20, columns, columns <= 16 ? 200 : 200 + penalty));
      for (auto& result : here) {
        if (!beyond) result.point.parameters["place"] = "inside";
        result.measurement->statistics.at("cycles_per_op").median += hit - 200;
        results.push_back(result);
      }
    }
    const auto levels = best_tlb_levels(results, "global");
    REQUIRE(levels.size() == 1);
    CHECK(levels[0].reach == 32u << 20);
    // A value with an error relative to the latency is more accurate inside, by the square of 200
    // to 30 cycles.
    const double better = std::pow(200.0 / 30, 2);
    CHECK(levels[0].penalty == doctest::Approx(inside == 94 ? (100 + better * 94) / (1 + better) : 100));
  }
}

TEST_CASE("tlb: a place that a cache distorts takes the cost of a miss from a more exact place") {
  std::vector<PointResult> results;
  for (const bool beyond : {true, false}) {
    auto here = spans(0);
    for (std::int64_t step = 1 << 18; step <= 8 << 20; step *= 2) {
      const double share = step > 2 << 20 ? 0 : static_cast<double>(step) / (2 << 20);
      here.push_back(steps("page", 1, step, (48 << 20) / step, 200 + 100 * share));
    }
    // Beyond the first cache a second one serves some loads of the walks over few pages.
    for (std::int64_t columns = 9; columns <= 24; ++columns) {
      const double hits = beyond && columns <= 13 ? 40 : 0;
      here.push_back(steps("entries", 1, 2 << 20, columns, columns <= 16 ? 200 - hits : 300));
    }
    for (auto& result : here) {
      if (!beyond) {
        result.point.parameters["place"] = "inside";
        result.measurement->statistics.at("cycles_per_op").median -= 170;
      }
      results.push_back(result);
    }
  }
  const auto levels = best_tlb_levels(results, "global");
  REQUIRE(levels.size() == 1);
  CHECK(levels[0].reach == 32u << 20);
  CHECK(levels[0].penalty == doctest::Approx(100));
}

TEST_CASE("tlb: a place whose walks slow down further beyond the step says less about the cost of a miss") {
  std::vector<PointResult> results;
  for (const char* place : {"outside", "beyond"}) {
    auto here = with_pages(spans(0), 200, 300);
    for (auto& result : here) {
      auto& parameters = result.point.parameters;
      parameters["place"] = place;
      const bool above = word(parameters, "test") == "entries" && integer(parameters, "columns") > 16;
      if (above && std::string(place) == "beyond")
        result.measurement->statistics.at("cycles_per_op").median += 6 * static_cast<double>(integer(parameters, "columns") - 18);
      results.push_back(std::move(result));
    }
  }
  const auto levels = best_tlb_levels(results, "global");
  REQUIRE(levels.size() == 1);
  CHECK(levels[0].penalty == doctest::Approx(100).epsilon(0.015));
}

/// Walks page by page over 6 to 27 pages of 2 MiB, of which 16 fit; a miss costs 100. Each further
/// page slows the walk by `slope`, because a cache serves fewer loads.
std::vector<PointResult> drifting(double slope, double noise) {
  auto results = spans(0);
  for (std::int64_t step = 1 << 18; step <= 8 << 20; step *= 2) {
    const double share = step > 2 << 20 ? 0 : static_cast<double>(step) / (2 << 20);
    results.push_back(steps("page", 1, step, (48 << 20) / step, 200 + 100 * share));
  }
  for (std::int64_t columns = 6; columns <= 27; ++columns) {
    const double drift = slope * (static_cast<double>(columns) - 16.5);
    const double off = noise * (columns % 4 < 2 ? 1 : -1);
    results.push_back(steps("entries", 1, 2 << 20, columns, 200 + drift + off + (columns > 16 ? 100 : 0)));
  }
  return results;
}

TEST_CASE("tlb: if walks page by page slow down on both sides of the step, its height at the step counts") {
  for (const double slope : {0.0, 0.5, 2.0}) {
    CAPTURE(slope);
    const auto exact = TlbReader(drifting(slope, 0), "global", "beyond").levels();
    REQUIRE(exact.size() == 1);
    CHECK(exact[0].reach == 32u << 20);
    CHECK(exact[0].penalty == doctest::Approx(100));
  }
}

TEST_CASE("tlb: a slope that may be noise leaves the mean of a side and widens its error") {
  // The means of eight counts lie eight counts apart.
  const auto flat = TlbReader(drifting(0, 3), "global", "beyond").levels();
  const auto perhaps = TlbReader(drifting(1.5, 3), "global", "beyond").levels();
  REQUIRE(flat.size() == 1);
  REQUIRE(perhaps.size() == 1);
  CHECK(perhaps[0].penalty > 108);
  CHECK(flat[0].penalty_error < 2);
  CHECK(perhaps[0].penalty_error > 6);
}

TEST_CASE("tlb: if steps of two pages miss where half of the pages fit, the page is doubtful") {
  // 16 pages of 2 MiB. Conflicts slow the walk in steps of 1 MiB, which look like a page. Only half
  // of these steps need a new page, so 32 of them fit.
  for (const double two_pages : {200.0, 300.0}) {
    CAPTURE(two_pages);
    auto results = spans(0);
    const std::map<std::int64_t, double> page_test{{64 << 10, 235}, {128 << 10, 240},     {256 << 10, 240}, {512 << 10, 265},
                                                   {1 << 20, 285},  {2 << 20, two_pages}, {4 << 20, 200},   {8 << 20, 200}};
    for (const auto& [step, cycles] : page_test) results.push_back(steps("page", 1, step, (56 << 20) / step, cycles));
    for (std::int64_t columns = 24; columns <= 40; ++columns)
      results.push_back(steps("entries", 1, 1 << 20, columns, columns <= 32 ? 200 : 260));
    const auto half = best_tlb_levels(results, "global");
    REQUIRE(half.size() == 1);
    CHECK(half[0].page == 1u << 20);
    CHECK(half[0].reach == 32u << 20);
    CHECK((half[0].confidence < 0.7) == (two_pages > 250));
    // Another place that counted whole pages decides.
    if (two_pages < 250) continue;
    for (auto result : with_pages(spans(0), 30, 130)) {
      result.point.parameters["place"] = "inside";
      results.push_back(result);
    }
    const auto whole = best_tlb_levels(results, "global");
    REQUIRE(whole.size() == 1);
    CHECK(whole[0].page == 2u << 20);
    CHECK(whole[0].penalty == doctest::Approx(100));
    CHECK(whole[0].confidence > 0.9);
  }
}

TEST_CASE("tlb: the outer of two places that count a level decides, unless its step is less clear") {
  // Beyond the first cache overflowing sets look like a TLB of 12 pages.
  for (const std::int64_t astray : {0, 2}) {
    CAPTURE(astray);
    std::vector<PointResult> results;
    for (const char* place : {"outside", "beyond"}) {
      auto here = with_pages(spans(0), 200, 300);
      for (auto& result : here) {
        auto& parameters = result.point.parameters;
        parameters["place"] = place;
        if (word(parameters, "test") == "entries") {
          const bool beyond = std::string(place) == "beyond";
          const auto columns = integer(parameters, "columns");
          const bool missed = columns > (beyond ? 18 : 16);
          // Each second count from 20 on lies below the step.
          const bool wrong = !beyond && columns >= 20 && columns < 20 + 2 * astray && columns % 2 == 0;
          result.measurement->statistics.at("cycles_per_op").median = missed && !wrong ? 300 : 200;
        }
        results.push_back(std::move(result));
      }
    }
    const auto levels = best_tlb_levels(results, "global");
    REQUIRE(levels.size() == 1);
    CHECK(levels[0].reach == (astray == 0 ? 32u << 20 : 36u << 20));
  }
}

TEST_CASE("tlb: counts on the wrong side of the step cost confidence, a reach below the shortest span does not") {
  auto results = with_pages(spans(0), 200, 300);
  CHECK(TlbReader(results, "global", "beyond").levels()[0].confidence == doctest::Approx(0.95));
  for (auto& result : results) {
    auto& parameters = result.point.parameters;
    if (word(parameters, "test") == "entries" && integer(parameters, "columns") == 22)
      result.measurement->statistics.at("cycles_per_op").median = 200;
  }
  CHECK(TlbReader(results, "global", "beyond").levels()[0].confidence == doctest::Approx(0.95 * 12 / 13));

  std::vector<PointResult> longer;
  for (auto& result : spans(0)) {
    if (integer(result.point.parameters, "span") > 45 << 20) longer.push_back(std::move(result));
  }
  const auto levels = TlbReader(with_pages(longer, 200, 300), "global", "beyond").levels();
  REQUIRE(levels.size() == 1);
  CHECK(levels[0].at_most);
  CHECK(levels[0].reach == 32u << 20);
  CHECK(levels[0].confidence == doctest::Approx(0.95));
}

TEST_CASE("tlb: steps of half a page show no level of their own") {
  std::vector<PointResult> results;
  for (double mebibytes = 1; mebibytes <= 8192; mebibytes *= std::sqrt(2)) {
    const auto misses = [&](double reach) { return mebibytes > reach ? 1 - reach / mebibytes : 0; };
    results.push_back(span(mebibytes, 200 + 70 * misses(16) + 100 * misses(60)));
  }
  const auto two = TlbReader(results, "global", "beyond").levels();
  REQUIRE(two.size() == 2);
  CHECK(two[0].number == 1);
  CHECK(two[1].number == 2);
  for (std::int64_t step = 1 << 18; step <= 8 << 20; step *= 2) {
    const double share = step > 2 << 20 ? 0 : static_cast<double>(step) / (2 << 20);
    results.push_back(steps("page", 2, step, (90 << 20) / step, 200 + 170 * share));
    if (step <= 1 << 20)
      results.push_back(steps("page", 1, step, (24 << 20) / step, 200 + 85.0 * static_cast<double>(step) / (1 << 20)));
  }
  for (std::int64_t columns = 22; columns <= 60; ++columns) {
    if (columns <= 40) results.push_back(steps("entries", 2, 2 << 20, columns, columns <= 30 ? 200 : 370));
    if (columns >= 40) results.push_back(steps("entries", 1, 1 << 20, columns, columns <= 50 ? 200 : 285));
  }
  const auto one = TlbReader(results, "global", "beyond").levels();
  REQUIRE(one.size() == 1);
  CHECK(one[0].number == 2);
  CHECK(one[0].reach == 60u << 20);
}

TEST_CASE("tlb: where a cache still serves a few loads the reach is the last count before the knee") {
  auto results = spans(0);
  for (std::int64_t step = 1 << 18; step <= 8 << 20; step *= 2) {
    const double share = step > 2 << 20 ? 0 : static_cast<double>(step) / (2 << 20);
    results.push_back(steps("page", 1, step, (48 << 20) / step, 200 + 100 * share));
  }
  const std::map<std::int64_t, double> knee{{12, 200}, {13, 200}, {14, 200}, {15, 200}, {16, 200}, {17, 240}, {18, 275},
                                            {19, 295}, {20, 300}, {21, 300}, {22, 300}, {23, 300}, {24, 300}, {25, 300}};
  for (const auto& [columns, cycles] : knee) results.push_back(steps("entries", 1, 2 << 20, columns, cycles));
  const TlbReader reader(results, "global", "beyond");
  REQUIRE(reader.levels().size() == 1);
  CHECK(reader.levels()[0].reach == 32u << 20);
  CHECK(reader.levels()[0].penalty > 80);
}

TEST_CASE("tlb: only the count right before the step may be one too many, not a slow rise of several") {
  auto results = spans(0);
  for (std::int64_t step = 1 << 18; step <= 8 << 20; step *= 2) {
    const double share = step > 2 << 20 ? 0 : static_cast<double>(step) / (2 << 20);
    results.push_back(steps("page", 1, step, (48 << 20) / step, 200 + 100 * share));
  }
  // 17 pages cost 0.18 of the penalty more than 16, but 0.3 more than 15.
  const std::map<std::int64_t, double> rise{{11, 200}, {12, 200}, {13, 200}, {14, 200}, {15, 200},
                                            {16, 212}, {17, 230}, {18, 275}, {19, 297}, {20, 300},
                                            {21, 300}, {22, 300}, {23, 300}, {24, 300}, {25, 300}};
  for (const auto& [columns, cycles] : rise) results.push_back(steps("entries", 1, 2 << 20, columns, cycles));
  const TlbReader reader(results, "global", "beyond");
  REQUIRE(reader.levels().size() == 1);
  CHECK(reader.levels()[0].reach == 34u << 20);
}

TEST_CASE("tlb: a level below the first span or beside a counted level is none") {
  std::vector<PointResult> outgrown;
  for (double mebibytes = 1; mebibytes <= 8192; mebibytes *= std::sqrt(2)) {
    outgrown.push_back(span(mebibytes, mebibytes < 1.2 ? 200 : mebibytes < 1.5 ? 260 : 300));
  }
  CHECK(best_tlb_levels(outgrown, "global").empty());
}

TEST_CASE("tlb: its plan keeps the number of lines and stays within the memory") {
  const auto* tlb = find_experiment("tlb");
  REQUIRE(tlb != nullptr);
  auto device = fake::gpu();
  const auto options = make_options({&tlb, 1}, {}, Preset::standard, 1).front();
  std::vector<PointResult> done;
  for (const auto& point : tlb->plan(device, options, done)) {
    CHECK(point.experiment == "latency");
    const auto bytes = std::get<std::int64_t>(point.parameters.at("footprint"));
    done.push_back(measured("latency", point.parameters, bytes <= 32768 ? 30 : bytes <= 4 << 20 ? 200 : 600));
  }
  // The sweep refines its edges.
  for (;;) {
    const auto points = tlb->plan(device, options, done);
    REQUIRE_FALSE(points.empty());
    if (points.front().experiment == "tlb") break;
    for (const auto& point : points) {
      const auto bytes = std::get<std::int64_t>(point.parameters.at("footprint"));
      done.push_back(measured("latency", point.parameters, bytes <= 32768 ? 30 : bytes <= 4 << 20 ? 200 : 600));
    }
  }
  std::map<std::string, std::int64_t> nodes;
  for (const auto& point : tlb->plan(device, options, done)) {
    const auto& place = std::get<std::string>(point.parameters.at("place"));
    const auto count = std::get<std::int64_t>(point.parameters.at("nodes"));
    nodes[place] = std::max(nodes[place], count);
    const auto line_bytes = std::int64_t{128};
    CHECK((count == nodes[place] || std::get<std::int64_t>(point.parameters.at("span")) < 2 * nodes[place] * line_bytes));
    // Short spans, too.
    if (place == "beyond") CHECK(count * line_bytes > 32768);
    // The largest allocation.
    CHECK(std::get<std::int64_t>(point.parameters.at("span")) <= std::int64_t{4} << 30);
    CHECK_FALSE(tlb->unsupported(device, point));
  }
  CHECK(nodes.size() == 2);
  CHECK(nodes.at("beyond") * 128 >= 8 * 32768);  // too much for the first cache
  CHECK(nodes.at("beyond") * 128 <= 2 << 20);    // not for the second

  // A TLB of 16 pages of 2 MiB: its pages are searched, then counted up to 1.5 times the reach, and
  // one more.
  const auto answer = [&](const Point& point) {
    const auto get = [&](const char* name) { return static_cast<double>(std::get<std::int64_t>(point.parameters.at(name))); };
    if (point.parameters.contains("span")) {
      const double visits = std::max(1.0, get("nodes") * (2 << 20) / get("span"));
      const double misses = get("span") <= 32 << 20 ? 0 : std::pow(1 - (32 << 20) / get("span"), (visits - 1) / visits);
      return measured("tlb", point.parameters, 200 + 100 * misses);
    }
    const double pages = std::min(get("columns"), get("columns") * get("step") / (2 << 20));
    return measured("tlb", point.parameters, 200 + (pages > 16 ? 100 * std::min(1.0, get("step") / (2 << 20)) : 0));
  };
  std::set<std::int64_t> counts;
  for (int round = 0; round < 2; ++round) {
    for (const auto& point : tlb->plan(device, options, done)) {
      if (std::get<std::string>(point.parameters.at("test")) == "entries" &&
          std::get<std::string>(point.parameters.at("place")) == "beyond")
        counts.insert(std::get<std::int64_t>(point.parameters.at("columns")));
      done.push_back(answer(point));
    }
  }
  CHECK(counts.empty());
  for (const auto& point : tlb->plan(device, options, done)) {
    if (std::get<std::string>(point.parameters.at("place")) == "beyond")
      counts.insert(std::get<std::int64_t>(point.parameters.at("columns")));
  }
  REQUIRE(counts.size() > 2);
  CHECK(*counts.rbegin() >= 25);
  CHECK(counts.contains(*counts.rbegin() - 1));
}

/// The points of experiment tlb on a device whose TLB has 12 pages of 2 MiB, for a path with two
/// caches.
std::vector<PointResult> twelve_pages(const scripted::Levels& levels) {
  constexpr double kPage = 2 << 20;
  constexpr double kReach = 12 * kPage;
  const auto* tlb = find_experiment("tlb");
  const auto latency = [&](const Point& point) {
    const auto get = [&](const char* name) { return static_cast<double>(integer(point.parameters, name)); };
    if (point.experiment == "latency") return scripted::sweep_latency(point, levels);
    const double hit = word(point.parameters, "place") == "inside" ? levels.levels[0].latency : levels.levels[1].latency;
    if (point.parameters.contains("span")) {
      return hit + 100 * translation_miss_share({kReach, kPage, 0}, get("span"), get("nodes"), 0);
    }
    const double pages = std::min(get("columns"), get("columns") * get("step") / kPage);
    return hit + (pages > 12 ? 100 * std::min(1.0, get("step") / kPage) : 0);
  };
  scripted::Latencies answer(latency, 0, 1);
  const auto options = make_options({&tlb, 1}, {{"path", "global"}}, Preset::standard, 1).front();
  return scripted::carry_out(*tlb, fake::gpu(), options, answer);
}

/// The page counts of the walks that count entries beyond the first cache, with the lines of each
/// page that they load.
std::map<std::int64_t, std::int64_t> entries_walks(const std::vector<PointResult>& results) {
  std::map<std::int64_t, std::int64_t> lines;
  for (const auto& result : results) {
    const auto& parameters = result.point.parameters;
    if (result.point.experiment != "tlb" || word(parameters, "place") != "beyond" || word(parameters, "test") != "entries")
      continue;
    const auto columns = integer(parameters, "columns");
    lines[columns] = integer(parameters, "nodes") / columns;
  }
  return lines;
}

TEST_CASE("tlb: where the step is found five more page counts to either side are walked") {
  const auto results = twelve_pages({{{32768, 30}, {16 << 20, 200}}, 600});
  REQUIRE(best_tlb_levels(results, "global").size() == 1);
  CHECK(best_tlb_levels(results, "global")[0].reach == 24u << 20);
  const auto walks = entries_walks(results);
  for (std::int64_t columns = 12 - 5; columns <= 13 + 5; ++columns) CHECK(walks.contains(columns));
  CHECK(walks.begin()->first == 7);  // the search itself begins at three quarters of the reach
}

TEST_CASE("tlb: walks that count entries leave half of their cache free, for any replacement") {
  // With 256 lines per page 21 pages (1.75 times the reach) would take 672 KiB.
  const auto walks = entries_walks(twelve_pages({{{32768, 30}, {1 << 20, 200}}, 600}));
  REQUIRE_FALSE(walks.empty());
  for (const auto& [columns, lines] : walks) CHECK(lines == 128);
  // If the cache holds them, there are as many as between the fewest and the most.
  const auto roomy = entries_walks(twelve_pages({{{32768, 30}, {16 << 20, 200}}, 600}));
  REQUIRE_FALSE(roomy.empty());
  for (const auto& [columns, lines] : roomy) CHECK(lines == 256);
}

}  // namespace
}  // namespace percycle::tlb_test
