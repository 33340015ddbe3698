#include "session/run_estimate.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace percycle::run_estimate_test {
namespace {

/// Points of an experiment that take so long each, in plans that follow from results.
struct Part {
  double seconds = 0;
  std::vector<std::size_t> plans;
  double planned_s = 0;  ///< seconds of each that are known
};

struct Shown {
  double now = 0;
  double remaining = 0;
  double share = 0;
};

/// The estimates during a run on a fake clock, twice a second and after each point.
std::vector<Shown> follow(const std::vector<Part>& parts) {
  const auto planned_of = [](const Part& part, std::size_t points) {
    return PlannedPoints{points, part.planned_s * static_cast<double>(points)};
  };
  std::vector<PlannedPoints> planned;
  for (const Part& part : parts) planned.push_back(planned_of(part, part.plans.front()));
  RunEstimate estimate(planned, 100);
  double now = 100;
  std::vector<Shown> shown;
  const auto look = [&] {
    const double share = estimate.share();
    if (const auto remaining = estimate.remaining(now)) shown.push_back({now - 100, *remaining, share});
  };
  for (std::size_t i = 0; i < parts.size(); ++i) {
    estimate.start(i);
    look();
    for (const std::size_t points : parts[i].plans) {
      estimate.plan(planned_of(parts[i], points));
      for (std::size_t point = 0; point < points; ++point) {
        const double end = now + parts[i].seconds;
        for (; now + 0.5 < end; now += 0.5) look();
        now = end;
        estimate.finish_point(now, parts[i].planned_s);
        look();
      }
    }
  }
  shown.push_back({now - 100, 0, estimate.share()});
  return shown;
}

void check_steady(const std::vector<Shown>& shown) {
  REQUIRE(shown.size() > 10);
  for (std::size_t i = 1; i + 1 < shown.size(); ++i) {
    const double step = shown[i].remaining / shown[i - 1].remaining;
    CAPTURE(shown[i].now);
    CHECK(step <= 2);
    CHECK(step >= 0.5);
    CHECK(shown[i].share >= shown[i - 1].share);
  }
  CHECK(shown.back().share == 1);
}

TEST_CASE("run estimate: with equal points the first time left is right") {
  const auto shown = follow({{0.5, {40}}, {0.5, {40}}});
  check_steady(shown);
  for (const Shown& each : shown) {
    if (each.remaining > 3) CHECK(each.remaining == doctest::Approx(40 - each.now).epsilon(0.05));
  }
}

TEST_CASE("run estimate: time that points take by their definition is known from the first") {
  const auto shown = follow({{0.05, {100}}, {30, {2}, 30}, {0.05, {100}}});
  check_steady(shown);
  const double all = shown.back().now;
  for (const Shown& each : shown) {
    CAPTURE(each.now);
    if (each.remaining > 3) CHECK(each.remaining == doctest::Approx(all - each.now).epsilon(0.05));
  }
}

TEST_CASE("run estimate: it never jumps by more than two, however uneven a run is") {
  check_steady(follow({{0.01, {200}}, {2, {30}}, {0.02, {500, 300, 100}}, {20, {5}}, {0.001, {1000}}}));
  check_steady(follow({{30, {4}}, {0.01, {50, 500, 5000}}}));
  check_steady(follow({{1, {4, 4, 4, 4, 4, 4, 4, 4}}, {1, {4, 4, 4, 4, 4, 4, 4, 4}}}));
}

TEST_CASE("run estimate: half way through a run of several speeds it is within a factor of two") {
  const auto shown = follow({{0.1, {100}}, {0.3, {100}}, {0.1, {100}}, {0.3, {100}}});
  const double all = shown.back().now;
  for (const Shown& each : shown) {
    if (each.now < 0.4 * all || each.now > 0.9 * all) continue;
    const double truth = all - each.now;
    CAPTURE(each.now);
    CHECK(each.remaining > truth / 2);
    CHECK(each.remaining < truth * 2);
  }
}

TEST_CASE("run estimate: points that results plan are expected of later experiments too") {
  RunEstimate estimate({{10}, {10}}, 0);
  estimate.start(0);
  estimate.plan({10});
  double now = 0;
  for (int i = 0; i < 10; ++i) estimate.finish_point(now += 1);
  estimate.plan({10});
  for (int i = 0; i < 10; ++i) estimate.finish_point(now += 1);
  CHECK(estimate.share() == doctest::Approx(0.5));
  CHECK(*estimate.remaining(now) == doctest::Approx(20));
  CHECK(*estimate.remaining(now + 4) == doctest::Approx(16));  // it counts down while a point runs
}

TEST_CASE("run estimate: without a few points there is none, and nothing to do is no division by zero") {
  RunEstimate estimate({{3}}, 0);
  CHECK(!estimate.remaining(10));
  CHECK(estimate.share() == 0);
  estimate.start(0);
  estimate.plan({3});
  estimate.finish_point(0.1);
  estimate.finish_point(0.2);
  CHECK(!estimate.remaining(5));
  estimate.finish_point(0.3);
  CHECK(!estimate.remaining(0.3));  // too short a time to tell
  CHECK(estimate.remaining(5) == 1);
  RunEstimate none({}, 0);
  CHECK(none.share() == 0);
  CHECK(none.done() == 0);
}

}  // namespace
}  // namespace percycle::run_estimate_test
