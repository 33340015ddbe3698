#include "analysis/set_ramp.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace percycle::set_ramp_test {
namespace {

using Latencies = std::map<std::uint64_t, double>;

/// A table of `entries` in sets of `ways`: 290 cycles, 94 more where all sets overflow.
Latencies walks(double entries, double ways, std::uint64_t step = 13) {
  Latencies latencies;
  for (auto pages = static_cast<std::uint64_t>(0.8 * entries); static_cast<double>(pages) < 1.9 * entries; pages += step) {
    const double share = std::clamp((static_cast<double>(pages) - entries) / (entries / ways), 0.0, 1.0);
    latencies[pages] = 290 + 94 * share + 0.3 * static_cast<double>(pages % 3);
  }
  return latencies;
}

TEST_CASE("set ramp: entries and ways of a table whose sets overflow one after the other") {
  for (const std::uint32_t ways : {2u, 4u, 8u}) {
    CAPTURE(ways);
    const auto ramp = find_set_ramp(walks(2048, ways));
    REQUIRE(ramp);
    CHECK(ramp->ways == ways);
    CHECK(static_cast<double>(ramp->entries) == doctest::Approx(2048).epsilon(0.005));
    CHECK(ramp->hit == doctest::Approx(290).epsilon(0.005));
    CHECK(ramp->penalty == doctest::Approx(94).epsilon(0.02));
  }
}

TEST_CASE("set ramp: a few disturbed walks do not hide it") {
  Latencies latencies = walks(2048, 8);
  int number = 0;
  for (auto& [pages, latency] : latencies)
    if (++number % 9 == 0) latency -= 20;
  const auto ramp = find_set_ramp(latencies);
  REQUIRE(ramp);
  CHECK(ramp->ways == 8);
  CHECK(static_cast<double>(ramp->entries) == doctest::Approx(2048).epsilon(0.01));
}

TEST_CASE("set ramp: a curve that rises on beyond the ramp has no plateau") {
  Latencies latencies;
  for (std::uint64_t pages = 1900; pages < 2290; pages += 10)
    latencies[pages] = 290 + 94 * std::max(0.0, static_cast<double>(pages) - 2048) / 256;
  latencies[2310] = 354;
  latencies[2410] = latencies[2411] = 384;
  CHECK_FALSE(find_set_ramp(latencies));
  latencies[2310] = 384;
  CHECK(find_set_ramp(latencies)->ways == 8);
}

TEST_CASE("set ramp: a sharp step, a lasting slope and a falling curve are none") {
  Latencies step;
  Latencies slope;
  Latencies falling;
  for (std::uint64_t pages = 1000; pages < 3000; pages += 10) {
    step[pages] = pages <= 2048 ? 290 : 384;
    slope[pages] = 290 + 0.05 * static_cast<double>(pages - 1000);
    falling[pages] = 390 - 0.05 * static_cast<double>(pages - 1000);
  }
  CHECK_FALSE(find_set_ramp(step));
  CHECK_FALSE(find_set_ramp(slope));
  CHECK_FALSE(find_set_ramp(falling));
  CHECK_FALSE(find_set_ramp({}));
}

}  // namespace
}  // namespace percycle::set_ramp_test
