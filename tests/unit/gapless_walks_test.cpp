#include "analysis/gapless_walks.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "analysis/hierarchy.hpp"
#include "point_examples.hpp"

namespace percycle::gapless_walks_test {
namespace {

using Gaps = std::optional<std::uint64_t>;
using Walks = std::vector<GaplessWalk>;

constexpr double kSize = 1 << 20;

/// A walk for a divisor that takes so many cycles, over 0.7 of `size` divided by the divisor.
GaplessWalk walk(std::int64_t divisor, double cycles, double error = 0, double size = kSize) {
  return {{0.7 * size / static_cast<double>(divisor), cycles, error}, divisor};
}

/// A level of 1 MiB at 200 cycles, 600 beyond, with these walks.
struct Example {
  PathCurves curves;
  AskedLevel level{curves, kSize, 200, 600};

  explicit Example(Walks walks) {
    for (double bytes = 1 << 14; bytes <= 1 << 24; bytes *= 2) curves.random.push_back({bytes, bytes > kSize ? 600.0 : 200.0, 0});
    curves.gapless = std::move(walks);
  }
};

Gaps gaps(Walks walks) { return walked_gaps(Example(std::move(walks)).level); }
Gaps next(Walks walks) { return next_divisor(Example(std::move(walks)).level); }

TEST_CASE("gapless walks: the first divisor whose walk fits is the number of gaps") {
  CHECK_FALSE(gaps({}));
  CHECK(gaps({walk(1, 200)}) == 1u);
  CHECK(gaps({walk(1, 600), walk(2, 210)}) == 2u);
  CHECK(gaps({walk(1, 600), walk(2, 500), walk(4, 200)}) == 4u);
  CHECK_FALSE(gaps({walk(1, 600), walk(2, 500), walk(4, 500)}));
}

TEST_CASE("gapless walks: a walk decides only beyond its noise") {
  CHECK(gaps({walk(1, 310, 4)}) == 1u);
  CHECK_FALSE(gaps({walk(1, 310, 6)}));
  CHECK_FALSE(gaps({walk(1, 330, 6), walk(2, 200)}));
  CHECK(gaps({walk(1, 330, 4), walk(2, 200)}) == 2u);
}

TEST_CASE("gapless walks: a walk for another size says nothing, and the nearest counts") {
  CHECK_FALSE(gaps({walk(1, 200, 0, 1.2 * kSize)}));
  CHECK(gaps({walk(1, 600, 0, 1.1 * kSize), walk(1, 200, 0, 1.05 * kSize)}) == 1u);
}

TEST_CASE("gapless walks: the next divisor is asked until one fits or noise hides the answer") {
  CHECK(next({}) == 1u);
  CHECK_FALSE(next({walk(1, 200)}));
  CHECK(next({walk(1, 600)}) == 2u);
  CHECK_FALSE(next({walk(1, 310, 6)}));
  CHECK_FALSE(next({walk(1, 600), walk(2, 600), walk(4, 600)}));
}

/// A walk of experiment latency without gaps at the level of 1 MiB.
PointResult asked(std::int64_t divisor, double cycles) {
  const std::int64_t stride = 64 / divisor;
  return examples::measured("latency",
                            {{"path", "global"},
                             {"form", "pointer"},
                             {"lanes", "1"},
                             {"order", "random"},
                             {"stride", stride},
                             {"divisor", divisor},
                             {"footprint", examples::whole(0.7 * kSize) / divisor / stride * stride}},
                            cycles);
}

TEST_CASE("gapless walks: latency alone states a size whose lines it asked, without the gaps") {
  const auto size = [](std::vector<std::pair<std::int64_t, double>> walks) {
    auto results = examples::sweep("global", {1 << 20}, {200, 600});
    for (const auto& [divisor, cycles] : walks) results.push_back(asked(divisor, cycles));
    return find_hierarchy(results).levels.at(0);
  };
  CHECK(size({}).confidence < kStatedConfidence);
  const auto whole = size({{1, 200}});
  CHECK(whole.confidence > 0.9);
  CHECK(static_cast<double>(whole.size_bytes) == doctest::Approx(kSize).epsilon(0.05));
  const auto half = size({{1, 600}, {2, 200}});
  CHECK(half.confidence > 0.9);
  CHECK(static_cast<double>(half.size_bytes) == doctest::Approx(kSize / 2).epsilon(0.05));
  CHECK(size({{1, 600}}).confidence < kStatedConfidence);
}

TEST_CASE("gapless walks: a burst in the walk of geometry does not halve a level") {
  const auto size = [](double of_latency) {
    auto results = examples::sweep("global", {1 << 20}, {200, 600});
    const auto add = [&](const char* test, std::int64_t stride, std::int64_t divisor, double cycles) {
      Parameters parameters{{"path", "global"}, {"test", test}, {"level", 1}, {"stride", stride}};
      parameters["nodes"] = examples::whole((divisor == 0 ? 4 : 0.7 / static_cast<double>(divisor)) * kSize) / stride;
      if (divisor > 0) parameters["divisor"] = divisor;
      results.push_back(examples::measured("geometry", parameters, cycles));
    };
    for (const std::int64_t stride : {8, 16, 32, 64, 128})
      add("fetch", stride, 0, 200 + 400 * std::min(1.0, static_cast<double>(stride) / 32));
    add("gaps", 32, 1, 500);
    add("gaps", 32, 2, 200);
    results.push_back(asked(1, of_latency));
    return find_hierarchy(results).levels.at(0);
  };
  CHECK(static_cast<double>(size(600).size_bytes) == doctest::Approx(kSize / 2).epsilon(0.05));
  CHECK(size(600).confidence > 0.9);
  CHECK(size(200).confidence < kStatedConfidence);
}

}  // namespace
}  // namespace percycle::gapless_walks_test
