#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "analysis/path_curve.hpp"
#include "point_examples.hpp"

namespace percycle::path_curve_test {
namespace {

using examples::measured;

/// A point of the latency sweep, `cycles` (half as many nanoseconds) per load.
PointResult latency(std::int64_t footprint, double cycles, const Parameters& different = {}) {
  Parameters parameters{{"path", "global"},  {"form", "pointer"},           {"lanes", "1"},
                        {"order", "random"}, {"stride", std::int64_t{128}}, {"footprint", footprint}};
  for (const auto& [name, value] : different) parameters[name] = value;
  return measured("latency", std::move(parameters), cycles);
}

/// A point of the geometry sweep.
PointResult geometry(std::int64_t footprint, double cycles, std::int64_t group, const char* test = "sweep") {
  return measured("geometry",
                  {{"path", "global"},
                   {"form", "pointer"},
                   {"test", test},
                   {"stride", std::int64_t{128}},
                   {"group", group},
                   {"footprint", footprint}},
                  cycles);
}

std::vector<double> sizes(const std::vector<CurveSample>& curve) {
  std::vector<double> all;
  for (const auto& sample : curve) all.push_back(sample.bytes);
  return all;
}

std::vector<double> values(const std::vector<CurveSample>& curve) {
  std::vector<double> all;
  for (const auto& sample : curve) all.push_back(sample.value);
  return all;
}

using Values = std::vector<double>;

TEST_CASE("path curve: the random walk of one lane, by size, of this path alone") {
  std::vector<PointResult> results{latency(4096, 34), latency(1024, 32), latency(2048, 33),
                                   latency(1024, 1, {{"path", "texture"}})};
  // More of these than of the walk itself.
  for (const std::int64_t footprint : {1024, 2048, 4096, 8192}) {
    results.push_back(latency(footprint, 2, {{"lanes", "subgroup"}}));
    results.push_back(latency(footprint, 3, {{"order", "sequential"}}));
    results.push_back(
        measured("tlb", {{"path", "global"}, {"lanes", "1"}, {"order", "random"}, {"stride", 128}, {"footprint", footprint}}, 4));
  }
  const auto curves = path_curves(results, "global");
  CHECK(sizes(curves.random) == Values{1024, 2048, 4096});
  CHECK(values(curves.random) == Values{32, 33, 34});
  CHECK(curves.local.empty());
  CHECK(&curves.best() == &curves.random);
  CHECK(curves.stride_bytes == 128);
  CHECK(path_curves(results, "constant").random.empty());
}

TEST_CASE("path curve: the form or stride with the most points wins, with its stride") {
  std::vector<PointResult> results{latency(1024, 40, {{"form", "offset32"}}), latency(1024, 50, {{"stride", std::int64_t{64}}}),
                                   latency(2048, 50, {{"stride", std::int64_t{64}}}), latency(1024, 32)};
  auto curves = path_curves(results, "global");
  CHECK(values(curves.random) == Values{50, 50});
  CHECK(curves.stride_bytes == 64);
  for (const std::int64_t footprint : {2048, 4096}) results.push_back(latency(footprint, 32));
  curves = path_curves(results, "global");
  CHECK(values(curves.random) == Values{32, 32, 32});
  CHECK(curves.stride_bytes == 128);
}

TEST_CASE("path curve: a geometry sweep's single nodes are closer steps of the random walk, its groups a curve of their own") {
  const std::vector<PointResult> results{latency(1024, 32),
                                         latency(2048, 33),
                                         latency(8192, 99),
                                         geometry(1536, 32.5, 1),
                                         geometry(16384, 80, 512),
                                         geometry(4096, 70, 32),
                                         geometry(3000, 7, 32, "fetch")};
  const auto curves = path_curves(results, "global");
  CHECK(sizes(curves.random) == Values{1024, 1536, 2048, 8192});
  CHECK(values(curves.random) == Values{32, 32.5, 33, 99});
  // Sizes below the first group come from the random walk.
  CHECK(sizes(curves.local) == Values{1024, 1536, 2048, 4096, 16384});
  CHECK(values(curves.local) == Values{32, 32.5, 33, 70, 80});
  CHECK(&curves.best() == &curves.local);
}

TEST_CASE("path curve: a point that is not ok is no point") {
  std::vector<PointResult> results{latency(1024, 32), latency(2048, 33), latency(4096, 34)};
  results[1].outcome = {Status::invalid, "ended elsewhere"};
  results[2].outcome = {Status::failed, "device lost"};
  results[2].measurement.reset();
  CHECK(sizes(path_curves(results, "global").random) == Values{1024});
  CHECK_FALSE(latency_of(results[1], LatencyUnit::cycles));
  CHECK_FALSE(latency_of(results[2], LatencyUnit::nanoseconds));
}

TEST_CASE("path curve: in cycles where every point of the path has them, else in nanoseconds") {
  std::vector<PointResult> results{latency(1024, 32), latency(2048, 34)};
  results[0].measurement->statistics["ns_per_op"].median = 8;  // 4 cycles per nanosecond
  results[1].measurement->statistics["ns_per_op"].median = 17;
  auto curves = path_curves(results, "global");
  CHECK(curves.unit == LatencyUnit::cycles);
  CHECK(values(curves.random) == Values{32, 34});
  CHECK(curves.ns_per_unit == doctest::Approx((0.25 + 0.5) / 2));  // the median of both

  // Another path's points without cycles, or one of this path that failed, change nothing.
  results.push_back(latency(1024, 9, {{"path", "texture"}}));
  results.push_back(latency(4096, 9));
  for (std::size_t i = 2; i < 4; ++i) results[i].measurement->statistics.erase("cycles_per_op");
  results[3].outcome = {Status::invalid, "ended elsewhere"};
  CHECK(latency_unit(results, "global") == LatencyUnit::cycles);
  CHECK(latency_unit(results, "texture") == LatencyUnit::nanoseconds);

  results[3].outcome = {};
  curves = path_curves(results, "global");
  CHECK(curves.unit == LatencyUnit::nanoseconds);
  CHECK(values(curves.random) == Values{8, 17, 4.5});
  CHECK(curves.ns_per_unit == 1);
}

TEST_CASE("path curve: a value is the median with its standard error, at the footprint where the point has one") {
  auto result = latency(4096, 32);
  result.measurement->statistics["cycles_per_op"] = {32, 2, 30, 99, 16};
  result.measurement->statistics["ns_per_op"] = {16, 1, 15, 50, 16};
  const double error = std::sqrt(std::numbers::pi / 2) * 1.4826 * 2 / 4;
  CHECK(latency_of(result, LatencyUnit::cycles)->bytes == 4096);
  CHECK(latency_of(result, LatencyUnit::cycles)->value == 32);
  CHECK(latency_of(result, LatencyUnit::cycles)->error == doctest::Approx(error));
  CHECK(latency_of(result, LatencyUnit::nanoseconds)->value == 16);
  CHECK(latency_of(result, LatencyUnit::nanoseconds)->error == doctest::Approx(error / 2));
  result.measurement->statistics.erase("cycles_per_op");
  CHECK_FALSE(latency_of(result, LatencyUnit::cycles));
  result.point.parameters.erase("footprint");
  CHECK(latency_of(result, LatencyUnit::nanoseconds)->bytes == 0);
}

TEST_CASE("path curve: the fastest samples count if the record has them") {
  auto result = latency(4096, 32);
  result.measurement->statistics["fastest_cycles_per_op"] = {24, 1, 23, 25, 4};
  result.measurement->statistics["fastest_ns_per_op"] = {12, 0.5, 11, 13, 4};
  CHECK(latency_of(result, LatencyUnit::cycles)->value == 24);
  CHECK(latency_of(result, LatencyUnit::cycles)->error == doctest::Approx(std::sqrt(std::numbers::pi / 2) * 1.4826 / 2));
  CHECK(latency_of(result, LatencyUnit::nanoseconds)->value == 12);
  CHECK(values(path_curves(std::vector{result}, "global").random) == Values{24});
}

TEST_CASE("path curve: paths in the order in which they first appear, of latency points that are ok") {
  std::vector<PointResult> results{latency(1024, 1, {{"path", "scalar"}}), latency(1024, 1, {{"path", "texture"}}),
                                   latency(1024, 1), latency(2048, 1, {{"path", "texture"}}), geometry(1024, 1, 1)};
  results[0].outcome = {Status::unsupported, "no such path"};
  results[0].measurement.reset();
  results[4].point.parameters["path"] = "constant";
  CHECK(measured_paths(results) == std::vector<std::string>{"texture", "global"});
  CHECK(measured_paths({}).empty());
}

}  // namespace
}  // namespace percycle::path_curve_test
