#include "analysis/second_looks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "analysis/path_curve.hpp"
#include "analysis/thresholds.hpp"
#include "experiments/experiment.hpp"
#include "fake_device.hpp"
#include "scripted_latency.hpp"

namespace percycle::second_looks_test {
namespace {

std::vector<CurveSample> curve(const std::vector<double>& values, double error = 0.1) {
  std::vector<CurveSample> samples;
  for (std::size_t i = 0; i < values.size(); ++i) samples.push_back({static_cast<double>(1024 << i), values[i], error});
  return samples;
}

TEST_CASE("second looks: a footprint slower than one of the next three larger ones contradicts them") {
  CHECK(contradicted(curve({30, 30, 30, 200, 200})).empty());
  CHECK(contradicted(curve({30, 90, 30, 200})) == std::vector<double>{2048});
  CHECK(contradicted(curve({30, 90, 95, 30, 200})) == std::vector<double>{2048, 4096});
  CHECK(contradicted(curve({30, 90, 90, 90, 90, 30})) ==
        std::vector<double>{4096, 8192, 16384});              // the first three may be an edge
  CHECK(contradicted(curve({30, 32, 30, 200})).empty());      // 7 %
  CHECK(contradicted(curve({30, 90, 30, 200}, 10)).empty());  // noise
}

TEST_CASE("second looks: a footprint faster than both neighbours is in the wrong, not they") {
  CHECK(contradicted(curve({200, 200, 30, 200, 200})) == std::vector<double>{4096});
}

TEST_CASE("second looks: the faster value counts, except where the first was too fast") {
  const auto slow = with_second_looks(curve({30, 90, 30, 200}), std::vector<CurveSample>{{2048, 31, 0.1}});
  CHECK(slow[1].value == 31);
  const auto as_slow = with_second_looks(curve({30, 90, 30, 200}), std::vector<CurveSample>{{2048, 95, 0.1}});
  CHECK(as_slow[1].value == 90);
  const auto fast = with_second_looks(curve({200, 200, 30, 200, 200}), std::vector<CurveSample>{{4096, 201, 0.1}});
  CHECK(fast[2].value == 201);
  const auto elsewhere = with_second_looks(curve({30, 90, 30}), std::vector<CurveSample>{{5000, 1, 0.1}});
  CHECK(elsewhere == curve({30, 90, 30}));
}

constexpr std::int64_t kDisturbed = 64 << 10;

bool is_again(const Point& point) { return point.parameters.contains("again"); }

/// All points of `latency` on one path if the first look at one footprint takes three times as
/// long.
std::vector<PointResult> disturbed_sweep(const char* path) {
  const auto* latency = find_experiment("latency");
  REQUIRE(latency != nullptr);
  const scripted::Levels levels{{{128 << 10, 30}, {4 << 20, 200}}, 600};
  scripted::Latencies measure(
      [&](const Point& point) {
        const bool disturbed = integer(point.parameters, "footprint") == kDisturbed && !is_again(point);
        return scripted::sweep_latency(point, levels) * (disturbed ? 3 : 1);
      },
      0.001, 1);
  const auto options = make_options({&latency, 1}, {{"path", path}}, Preset::standard, 1).front();
  return scripted::carry_out(*latency, fake::gpu(), options, measure);
}

TEST_CASE("second looks: latency looks again, before it refines, and the record keeps both") {
  const auto results = disturbed_sweep("global");
  std::vector<std::int64_t> looks;
  for (const auto& result : results) {
    if (is_again(result.point)) looks.push_back(integer(result.point.parameters, "footprint"));
  }
  CHECK(looks == std::vector<std::int64_t>{kDisturbed});
  const auto curves = path_curves(results, "global");
  const auto here = std::find_if(curves.random.begin(), curves.random.end(),
                                 [](const CurveSample& sample) { return sample.bytes == static_cast<double>(kDisturbed); });
  REQUIRE(here != curves.random.end());
  CHECK(here->value == doctest::Approx(30).epsilon(0.01));
  // The edges alone are refined.
  const auto looks_nearby = std::count_if(curves.random.begin(), curves.random.end(), [](const CurveSample& sample) {
    return std::abs(std::log2(sample.bytes / static_cast<double>(kDisturbed))) < 0.24;
  });
  CHECK(looks_nearby == 1);
}

TEST_CASE("second looks: constants have one place, and quick has no time") {
  for (const auto& result : disturbed_sweep("constant")) CHECK_FALSE(is_again(result.point));
}

TEST_CASE("second looks: a sweep is looked at again a dozen times at most") {
  const auto* latency = find_experiment("latency");
  const auto options = make_options({&latency, 1}, {{"path", "global"}}, Preset::standard, 1).front();
  scripted::Latencies measure(
      [turn = 0](const Point&) mutable {
        ++turn;
        return turn % 2 == 0 ? 100.0 : 200.0;
      },
      0.001, 1);
  const auto results = scripted::carry_out(*latency, fake::gpu(), options, measure);
  const auto looks =
      std::count_if(results.begin(), results.end(), [](const PointResult& result) { return is_again(result.point); });
  CHECK(looks == 12);
}

}  // namespace
}  // namespace percycle::second_looks_test
