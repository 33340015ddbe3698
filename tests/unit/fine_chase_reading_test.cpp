#include "analysis/fine_chase_reading.hpp"

#include <doctest/doctest.h>

#include <functional>

#include "core/random.hpp"
#include "point_examples.hpp"

namespace percycle::fine_chase_reading_test {
namespace {

constexpr std::size_t kLap = 5;  // loads: four ways and one more

/// Points of levels of 30 and 200 cycles. The loads of `level`'s second pass took `ticks` each.
std::vector<PointResult> results_of(const std::function<double(std::size_t load)>& ticks, std::int64_t level = 1) {
  auto results = examples::sweep("global", {32768, 1 << 20}, {30, 200, 600});
  results.push_back(examples::measured(
      "geometry", {{"path", "global"}, {"test", "second-pass"}, {"level", level}, {"nodes", static_cast<std::int64_t>(kLap)}},
      100));
  auto& rows = results.back().measurement->series["ticks"];
  for (std::size_t load = 0; load < 2000; ++load) {
    if (load % 500 == 0) rows.emplace_back();
    rows.back().push_back(ticks(load));
  }
  return results;
}

/// The reading of a set of four ways whose loads miss by `share` untimed.
std::optional<std::string> said(double share, const std::function<double(std::size_t load)>& ticks) {
  const auto results = results_of(ticks);
  std::vector<std::string> evidence;
  return replacement_of(GeometryReader(results, "global"), 0, {4, share, false}, evidence);
}

/// Per load: reading the clock takes 7 more.
double timed(bool misses) { return misses ? 207 : 37; }

TEST_CASE("replacement: nearly constant misses are LRU, with noise or without") {
  const auto unused = [](std::size_t) { return timed(true); };
  CHECK(said(1, unused) == "lru");
  CHECK(said(0.9, unused) == "lru");
  CHECK(said(0.8, unused) != "lru");
}

TEST_CASE("replacement: misses in the same places of each lap are pseudo-LRU, in these and those they are chance") {
  CHECK(said(0.4, [](std::size_t load) { return timed(load % kLap < 2); }) == "pseudo-lru");
  for (const double share : {0.4, 0.82}) {
    SplitMix64 random(7);
    CAPTURE(share);
    // With so many misses, many are at places where an earlier lap had one, too.
    CHECK(said(share, [&](std::size_t) { return timed(static_cast<double>(random() >> 11) * 0x1p-53 < share); }) == "random");
  }
}

TEST_CASE("replacement: the middle of the hits gives their time, not the fastest load") {
  // A third of the hits is faster by nearly the whole distance to a miss.
  const auto pattern = [](std::size_t load) {
    return load % kLap < 2 ? timed(true) : load % 15 == 4 ? timed(false) - 140 : timed(false);
  };
  CHECK(said(0.4, pattern) == "pseudo-lru");
}

TEST_CASE("replacement: unknown if noise hides which loads miss") {
  SplitMix64 random(7);
  CHECK_FALSE(said(0.4, [&](std::size_t) { return 37 + 170 * static_cast<double>(random() >> 11) * 0x1p-53; }));
}

TEST_CASE("replacement: a set has more ways if one line too many misses less than once per lap") {
  const auto more = [](std::size_t place, const std::function<double(std::size_t load)>& ticks, double untimed = 0.1) {
    const auto results = results_of(ticks, static_cast<std::int64_t>(place) + 1);
    return has_more_ways(GeometryReader(results, "global"), place, {4, untimed, false});
  };
  // Misses per lap: 0.25, 0.38, 0.63 and 1.
  CHECK(more(0, [](std::size_t load) { return timed(load % (4 * kLap) == 0); }));
  CHECK(more(0, [](std::size_t load) { return timed(load % 13 == 0); }));
  CHECK_FALSE(more(0, [](std::size_t load) { return timed(load % 8 == 0); }));
  CHECK_FALSE(more(0, [](std::size_t load) { return timed(load % kLap == 0); }));
  // If all loads miss, no hit shows how long reading the clock takes.
  CHECK_FALSE(more(
      0, [](std::size_t) { return timed(true); }, 1));
  // The first level may hold the line that the second lacks.
  CHECK_FALSE(more(1, [](std::size_t) { return timed(true); }));
}

}  // namespace
}  // namespace percycle::fine_chase_reading_test
