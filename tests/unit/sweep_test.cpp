#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <vector>

#include "experiments/common/sweep.hpp"

namespace percycle::sweep_test {
namespace {

using Sizes = std::vector<std::uint64_t>;

/// Refines an invented curve until nothing is added; the sizes of each generation.
std::vector<Sizes> generations(Sizes sizes, const std::function<double(std::uint64_t)>& value, const RefineRule& rule) {
  std::vector<Sizes> all;
  for (int i = 0; i < 100; ++i) {
    std::vector<CurvePoint> curve;
    for (const std::uint64_t size : sizes) curve.push_back({size, value(size)});
    const Sizes added = refine(curve, rule);
    if (added.empty()) return all;
    all.push_back(added);
    sizes.insert(sizes.end(), added.begin(), added.end());
    std::sort(sizes.begin(), sizes.end());
  }
  FAIL("refinement has no end");
  return all;
}

TEST_CASE("octave_grid: a power of two's grid holds every power of two and its end") {
  CHECK(octave_grid(1024, 8192, 1, 128) == Sizes{1024, 2048, 4096, 8192});
  CHECK(octave_grid(1024, 4096, 4, 128) == Sizes{1024, 1152, 1408, 1664, 2048, 2432, 2816, 3328, 4096});
  const Sizes grid = octave_grid(1024, std::uint64_t{1} << 30, 4, 128);
  CHECK(grid.size() == 81);
  for (std::uint64_t size = 1024; size <= std::uint64_t{1} << 30; size *= 2)
    CHECK(std::binary_search(grid.begin(), grid.end(), size));
}

TEST_CASE("octave_grid: sizes are multiples, ascend without repeats and end with the largest that fits") {
  CHECK(octave_grid(1024, 3000, 1, 128) == Sizes{1024, 2048, 2944});
  CHECK(octave_grid(1024, 1024, 4, 128) == Sizes{1024});
  CHECK(octave_grid(1000, 2000, 1, 1) == Sizes{1000, 2000});
  CHECK(octave_grid(128, 512, 8, 128) == Sizes{128, 256, 384, 512});
  CHECK(octave_grid(1024, 2048, 2, 1) == Sizes{1024, 1448, 2048});
  CHECK(octave_grid(1000, 1100, 4, 1024).size() == 1);  // the only multiple
  CHECK(octave_grid(1000, 1010, 4, 1024).empty());      // there are none
}

TEST_CASE("octave_grid: an empty range or a zero is refused") {
  CHECK_THROWS_AS(octave_grid(0, 10, 1, 1), std::invalid_argument);
  CHECK_THROWS_AS(octave_grid(1, 10, 0, 1), std::invalid_argument);
  CHECK_THROWS_AS(octave_grid(1, 10, 1, 0), std::invalid_argument);
  CHECK_THROWS_AS(octave_grid(11, 10, 1, 1), std::invalid_argument);
}

TEST_CASE("every_second: every second size, with the last") {
  using Sizes = std::vector<std::uint64_t>;
  CHECK(every_second({1, 2, 4, 8, 16}) == Sizes{1, 4, 16});
  CHECK(every_second({1, 2, 4, 8}) == Sizes{2, 8});
  CHECK(every_second({7}) == Sizes{7});
  CHECK(every_second({}).empty());
}

TEST_CASE("refine: a flat curve, a point and nothing at all need nothing") {
  const RefineRule rule{.step = 0.1, .finest_ratio = 1.05, .multiple = 128};
  CHECK(refine({}, rule).empty());
  CHECK(refine(std::vector<CurvePoint>{{1024, 5}}, rule).empty());
  CHECK(refine(std::vector<CurvePoint>{{1024, 5}, {2048, 5}, {4096, 5.49}}, rule).empty());
}

TEST_CASE("refine: the geometric middle of each pair that differs, up or down") {
  const RefineRule rule{.step = 0.1, .finest_ratio = 1.05, .multiple = 1};
  CHECK(refine(std::vector<CurvePoint>{{1024, 10}, {4096, 20}}, rule) == Sizes{2048});
  CHECK(refine(std::vector<CurvePoint>{{1024, 20}, {4096, 10}}, rule) == Sizes{2048});
  CHECK(refine(std::vector<CurvePoint>{{1000, 10}, {4000, 20}, {16000, 20}, {64000, 80}}, rule) == Sizes{2000, 32000});
  // A share of the smaller: 10 to 11.0 is the limit, in either direction.
  CHECK(refine(std::vector<CurvePoint>{{1000, 10}, {4000, 11}}, rule).empty());
  CHECK(refine(std::vector<CurvePoint>{{1000, 11}, {4000, 10}}, rule).empty());
  CHECK(refine(std::vector<CurvePoint>{{1000, 11.01}, {4000, 10}}, rule) == Sizes{2000});
}

TEST_CASE("refine: neighbours as close as the finest ratio or the multiple allows are left alone") {
  CHECK(refine(std::vector<CurvePoint>{{1000, 1}, {1050, 9}}, {.step = 0.1, .finest_ratio = 1.05, .multiple = 1}).empty());
  CHECK(refine(std::vector<CurvePoint>{{1000, 1}, {1060, 9}}, {.step = 0.1, .finest_ratio = 1.05, .multiple = 1}) == Sizes{1029});
  CHECK(refine(std::vector<CurvePoint>{{1024, 1}, {1152, 9}}, {.step = 0.1, .finest_ratio = 1.05, .multiple = 128}).empty());
  CHECK(refine(std::vector<CurvePoint>{{1024, 1}, {1408, 9}}, {.step = 0.1, .finest_ratio = 1.05, .multiple = 128}) ==
        Sizes{1152});
}

TEST_CASE("refine: a difference within three deviations of both ends is no step") {
  const RefineRule rule{.step = 0.1, .finest_ratio = 1.05, .multiple = 1};
  CHECK(refine(std::vector<CurvePoint>{{1000, 10, 1}, {4000, 16, 1}}, rule).empty());
  // Exactly a tenth more.
  CHECK(refine(std::vector<CurvePoint>{{1000, 10, 1}, {4000, 17, 1}}, rule).empty());
  CHECK(refine(std::vector<CurvePoint>{{1000, 10, 1}, {4000, 17.5, 1}}, rule) == Sizes{2000});
  CHECK(refine(std::vector<CurvePoint>{{1000, 10, 0}, {4000, 16, 1}}, rule) == Sizes{2000});
  CHECK(refine(std::vector<CurvePoint>{{1000, 16, 1}, {4000, 10, 0}}, rule) == Sizes{2000});
}

TEST_CASE("refine: where not all can be had, the largest steps go first, the earlier of equals; sizes still ascend") {
  const std::vector<CurvePoint> curve{{1000, 10}, {4000, 20}, {16000, 80}, {64000, 160}, {256000, 800}};
  RefineRule rule{.step = 0.1, .finest_ratio = 1.05, .multiple = 1};
  CHECK(refine(curve, rule) == Sizes{2000, 8000, 32000, 128000});
  rule.most = 3;
  CHECK(refine(curve, rule) == Sizes{2000, 8000, 128000});
  rule.most = 2;
  CHECK(refine(curve, rule) == Sizes{8000, 128000});
  rule.most = 1;
  CHECK(refine(curve, rule) == Sizes{128000});
  rule.most = 0;
  CHECK(refine(curve, rule).empty());
}

TEST_CASE("refine: one step is bisected until it is known to the finest ratio, and nothing else is touched") {
  constexpr std::uint64_t kEdge = 192 << 10;
  const RefineRule rule{.step = 0.1, .finest_ratio = 1.06, .multiple = 128};
  const auto step = [](std::uint64_t size) { return size <= kEdge ? 32.0 : 280.0; };
  const auto grid = octave_grid(1024, 1 << 20, 4, 128);
  const auto all = generations(grid, step, rule);
  // A quarter octave is a ratio of 1.19: halved twice it is 1.045, three times at the most.
  CHECK(all.size() == 2);
  Sizes sizes = grid;
  for (const auto& generation : all) {
    REQUIRE(generation.size() == 1);
    sizes.push_back(generation.front());
  }
  std::sort(sizes.begin(), sizes.end());
  const auto above = std::upper_bound(sizes.begin(), sizes.end(), kEdge);
  CHECK(static_cast<double>(*above) / static_cast<double>(*(above - 1)) <= 1.06);
}

TEST_CASE("refine: a ramp is filled until its neighbours agree") {
  const RefineRule rule{.step = 0.1, .finest_ratio = 1.01, .multiple = 128};
  const auto ramp = [](std::uint64_t size) { return static_cast<double>(size); };
  Sizes sizes{1 << 20, 2 << 20, 4 << 20};
  std::size_t points = sizes.size();
  for (const auto& generation : generations(sizes, ramp, rule)) points += generation.size();
  CHECK(points == 17);  // an octave in eight: 2^(1/8) = 1.0905, and 2^(1/4) exceeds 1.1
}

}  // namespace
}  // namespace percycle::sweep_test
