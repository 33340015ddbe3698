#include <doctest/doctest.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "check_words.hpp"
#include "core/random.hpp"
#include "device/error.hpp"
#include "measure/calibration.hpp"

namespace percycle::calibration_test {
namespace {

/// The loop counts that a calibration requested, and its result.
struct Course {
  std::vector<std::uint64_t> loops_run;
  std::vector<double> took;
  std::uint64_t loops = 0;
};

Course calibrate(const Calibration::Limits& limits, const std::function<double(std::uint64_t loops, std::size_t round)>& run) {
  Course course;
  Calibration calibration(limits);
  while (!calibration.done()) {
    REQUIRE(course.loops_run.size() < 24);
    course.loops_run.push_back(calibration.loops());
    course.took.push_back(run(calibration.loops(), course.loops_run.size()));
    calibration.feed(course.took.back(), course.took.back());
  }
  course.loops = calibration.loops();
  return course;
}

/// A device with a fixed time per loop, plus `idle_ns`.
std::function<double(std::uint64_t, std::size_t)> linear(double loop_ns, double idle_ns = 0) {
  return [=](std::uint64_t loops, std::size_t) { return idle_ns + loop_ns * static_cast<double>(loops); };
}

using Loops = std::vector<std::uint64_t>;

TEST_CASE("a linear device is climbed eightfold, then aimed a quarter above the target") {
  const auto course = calibrate({.target_ns = 1e6, .max_loops = 1 << 30}, linear(100.0));
  CHECK(course.loops_run == Loops{1, 8, 64, 512, 4096, 12500});
  CHECK(course.loops == 12500);
}

TEST_CASE("the time of an idle dispatch does not count") {
  const Calibration::Limits limits{.target_ns = 1e6, .idle_ns = 50000, .max_loops = 1 << 30};
  const auto course = calibrate(limits, linear(100.0, 50000));
  CHECK(course.loops == 12500);
}

TEST_CASE("a loop longer than the target is run twice: the first may be cold") {
  const auto course = calibrate({.target_ns = 1e6, .max_loops = 1000}, linear(5e6));
  CHECK(course.loops_run == Loops{1, 1});
  CHECK(course.loops == 1);
}

TEST_CASE("a first dispatch above the target is not believed") {
  const auto course = calibrate({.target_ns = 1e6, .max_loops = 1 << 30}, [](std::uint64_t loops, std::size_t round) {
    return linear(100)(loops, round) + (round == 1 ? 5e6 : 0);
  });
  CHECK(course.loops == 12500);
}

TEST_CASE("a slow dispatch on the way does not end the search early") {
  const auto course = calibrate({.target_ns = 1e6, .max_loops = 1 << 30}, [](std::uint64_t loops, std::size_t round) {
    return linear(100)(loops, round) + (round == 3 ? 1e7 : 0);
  });
  CHECK(course.loops == 12500);
}

TEST_CASE("a slow first dispatch does not end the search early") {
  const auto course = calibrate({.target_ns = 1e6, .max_loops = 1 << 30}, [](std::uint64_t loops, std::size_t round) {
    return linear(100)(loops, round) + (round == 1 ? 9e5 : 0);
  });
  CHECK(course.loops == 12500);
}

TEST_CASE("a slow dispatch on the way that is just long enough does not end the search") {
  const auto course = calibrate({.target_ns = 1e6, .max_loops = 1 << 30}, [](std::uint64_t loops, std::size_t round) {
    return linear(100)(loops, round) + (round == 3 ? 2e6 : 0);
  });
  CHECK(course.loops_run == Loops{1, 8, 64, 64, 512, 4096, 12500});
  CHECK(course.loops == 12500);
}

TEST_CASE("a loop a little shorter than the target is run twice") {
  CHECK(calibrate({.target_ns = 1e6, .max_loops = 1000}, linear(8e5)).loops == 2);
}

TEST_CASE("a dispatch far above the target is looked at again with fewer loops") {
  // 100 ns per loop until the device throttles: then five times that.
  const auto course = calibrate({.target_ns = 1e6, .max_loops = 1 << 30}, [](std::uint64_t loops, std::size_t round) {
    return (round > 5 ? 500.0 : 100.0) * static_cast<double>(loops);
  });
  CHECK(course.loops_run == Loops{1, 8, 64, 512, 4096, 12500, 2500});
  CHECK(course.loops == 2500);
}

TEST_CASE("a timer that says zero ends at the loop limit") {
  const auto course = calibrate({.target_ns = 1e6, .max_loops = 1000}, [](std::uint64_t, std::size_t) { return 0.0; });
  CHECK(course.loops_run == Loops{1, 8, 64, 512, 1000});
  CHECK(course.loops == 1000);
}

TEST_CASE("a timer that says less than an idle dispatch ends at the loop limit") {
  const auto course =
      calibrate({.target_ns = 1e6, .idle_ns = 5000, .max_loops = 1000}, [](std::uint64_t, std::size_t) { return 4000.0; });
  CHECK(course.loops == 1000);
}

TEST_CASE("the loop limit is reached and kept") {
  const auto course = calibrate({.target_ns = 1e9, .max_loops = 65000}, linear(10.0));
  CHECK(course.loops == 65000);
  CHECK(calibrate({.target_ns = 1e9, .max_loops = 1}, [](std::uint64_t, std::size_t) { return 10.0; }).loops == 1);
}

TEST_CASE("the ceiling wins over the target") {
  const auto course = calibrate({.target_ns = 1e6, .ceiling_ns = 5e5, .max_loops = 1 << 30}, linear(100.0));
  CHECK(course.loops == 5000);
  for (const double ns : course.took) CHECK(ns <= 5e5);
  // Idle time counts here: the driver's watchdog does not take it off.
  const auto idle = calibrate({.target_ns = 1e6, .ceiling_ns = 5e5, .idle_ns = 1e5, .max_loops = 1 << 30}, linear(100.0, 1e5));
  CHECK(idle.loops == 4000);
  for (const double ns : idle.took) CHECK(ns <= 5e5);
}

TEST_CASE("a device that is too slow with more loops than one and too fast with one is given up") {
  // calibrate() allows 24 rounds.
  const auto course =
      calibrate({.target_ns = 1e6, .max_loops = 1000}, [](std::uint64_t loops, std::size_t) { return loops > 1 ? 2.6e6 : 100; });
  CHECK(course.loops_run.size() == 24);
}

TEST_CASE("feeding a finished calibration changes nothing") {
  Calibration calibration({.target_ns = 1e6, .max_loops = 1000});
  calibration.feed(2e6, 2e6);
  calibration.feed(2e6, 2e6);
  REQUIRE(calibration.done());
  calibration.feed(1, 1);
  CHECK(calibration.done());
  CHECK(calibration.loops() == 1);
}

TEST_CASE("random linear devices: every search ends, keeps its limits and reaches its target where that can be") {
  SplitMix64 random(20261121);
  const auto between = [&](double low, double high) {
    return low + (high - low) * static_cast<double>(random() >> 11) * 0x1p-53;
  };
  for (int i = 0; i < 5000; ++i) {
    Calibration::Limits limits;
    limits.target_ns = between(1e4, 2e7);
    limits.ceiling_ns = between(1e6, 4e8);
    limits.idle_ns = between(0, 1e5);
    limits.max_loops = 1 + random() % (std::uint64_t{1} << (1 + random() % 32));
    const double loop_ns = between(0.1, 1) * static_cast<double>(std::uint64_t{1} << (random() % 12));
    CAPTURE(i);
    const auto course = calibrate(
        limits, [&](std::uint64_t loops, std::size_t) { return limits.idle_ns + loop_ns * static_cast<double>(loops); });
    const double net = loop_ns * static_cast<double>(course.loops);
    REQUIRE(course.loops >= 1);
    REQUIRE(course.loops <= limits.max_loops);
    for (std::size_t round = 0; round < course.took.size(); ++round) {
      if (course.loops_run[round] > 1) REQUIRE(course.took[round] <= limits.ceiling_ns * (1 + 1e-9));
    }
    const bool held_back = course.loops == limits.max_loops || limits.idle_ns + net + loop_ns >= limits.ceiling_ns;
    const bool reached = net >= limits.target_ns;
    REQUIRE((reached || held_back));
    if (course.loops > 8) REQUIRE(net <= 2.5 * limits.target_ns);
  }
}

TEST_CASE("random noisy devices: every search ends within its limits") {
  SplitMix64 random(7);
  for (int i = 0; i < 2000; ++i) {
    const Calibration::Limits limits{.target_ns = 1e6, .ceiling_ns = 4e8, .idle_ns = 5000, .max_loops = 1 + random() % 1000000};
    CAPTURE(i);
    const auto course = calibrate(limits, [&](std::uint64_t, std::size_t) { return static_cast<double>(random() % 1000000000); });
    for (const std::uint64_t loops : course.loops_run) REQUIRE((loops >= 1 && loops <= limits.max_loops));
    REQUIRE((course.loops >= 1 && course.loops <= limits.max_loops));
  }
}

TEST_CASE("a device timer that stands still ends the search at the third dispatch that is long on the host") {
  std::vector<std::uint64_t> loops_run;
  const auto stands_still = [&](std::uint64_t loops) {
    loops_run.push_back(loops);
    return Timing{.host_ns = 1e6 * static_cast<double>(loops), .device_ns = 1};
  };
  CHECK_THROWS_WORDS("calibration.impossible-timer", DeviceError,
                     calibrated_loops({.target_ns = 1e6, .max_loops = UINT32_MAX}, Api::opencl, stands_still));
  CHECK(loops_run == Loops{1, 8, 64, 400, 400, 400});
}

TEST_CASE("a dispatch with a compilation that only the host sees does not end the search") {
  std::size_t round = 0;
  const auto cold = [&](std::uint64_t loops) {
    const double ns = 100 * static_cast<double>(loops);
    return Timing{.host_ns = ns + (++round <= 2 ? 3e9 : 0), .device_ns = ns};
  };
  CHECK(calibrated_loops({.target_ns = 1e6, .max_loops = 1 << 30}, Api::opencl, cold) == 12500);
}

}  // namespace
}  // namespace percycle::calibration_test
