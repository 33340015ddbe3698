#include <doctest/doctest.h>

#include <cmath>

#include "analysis/disturbance.hpp"
#include "analysis/thresholds.hpp"

namespace percycle::disturbance_test {
namespace {

TEST_CASE("disturbance: a share of the cost of a miss, with the error of both latencies") {
  const Disturbance half = disturbance({0, 110, 3}, {0, 32, 4}, 156);
  CHECK(half.share == doctest::Approx(0.5));
  const double trusted = 0.001 * std::hypot(110.0, 32.0);
  CHECK(half.error == doctest::Approx(std::hypot(5.0, trusted) / 156));
  CHECK(disturbance({0, 100, 0}, {0, 100, 0}, 100).error == doctest::Approx(0.001 * std::sqrt(2.0)));
  // Faster beside another than alone: noise, kept unchanged.
  CHECK(disturbance({0, 90, 0}, {0, 100, 0}, 100).share == doctest::Approx(-0.1));
}

TEST_CASE("disturbance: more than a quarter of a miss is eviction; the distance from it gives the confidence") {
  CHECK_FALSE(Disturbance{0.25, 0.01}.evicts());
  CHECK(Disturbance{0.251, 0.01}.evicts());
  // Three standard errors to either side.
  CHECK(Disturbance{0.28, 0.01}.certainty() == doctest::Approx(0.5));
  CHECK(Disturbance{0.22, 0.01}.certainty() == doctest::Approx(0.5));
  CHECK(Disturbance{0.25, 0.01}.certainty() == 0);
  CHECK(Disturbance{1, 0.01}.certainty() == doctest::Approx(75.0 * 75 / (75.0 * 75 + 9)));
}

TEST_CASE("disturbance: clearly more than none and less than an eviction is neither") {
  CHECK(Disturbance{0.159, 0.013}.is_partial());
  CHECK_FALSE(Disturbance{0.12, 0.01}.is_partial());  // within three errors of a tenth
  CHECK_FALSE(Disturbance{0.05, 0.001}.is_partial());
  CHECK_FALSE(Disturbance{0.26, 0.001}.is_partial());
}

TEST_CASE("disturbance: a replaced threshold decides") {
  disturbance_thresholds.evicted = 0.1;
  CHECK(Disturbance{0.11, 0.01}.evicts());
  CHECK(Disturbance{0.1, 0.01}.certainty() == 0);
  disturbance_thresholds = {};
  CHECK_FALSE(Disturbance{0.11, 0.01}.evicts());
}

TEST_CASE("disturbance: a miss costs the additional latency of the next level, after the last level of memory") {
  CurveReading reading;
  CHECK_FALSE(miss_cost(reading, 0));
  reading.levels.resize(2);
  reading.levels[0].latency = 32;
  reading.levels[1].latency = 188;
  CHECK(miss_cost(reading, 0) == 156.0);
  CHECK_FALSE(miss_cost(reading, 1));
  reading.memory_latency = 300;
  CHECK(miss_cost(reading, 1) == 112.0);
  CHECK_FALSE(miss_cost(reading, 2));
  // If the next level is not slower, there is no divisor.
  reading.levels[1].latency = 32;
  CHECK_FALSE(miss_cost(reading, 0));
  reading.memory_latency = 31;
  CHECK_FALSE(miss_cost(reading, 1));
}

}  // namespace
}  // namespace percycle::disturbance_test
