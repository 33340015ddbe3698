#include "experiments/bandwidth/parts/best_configuration.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "presentation/configuration.hpp"

namespace percycle::best_configuration_test {
namespace {

Point configuration(std::int64_t group_size, std::int64_t unroll) {
  return {"dram-bandwidth", {{"width", std::int64_t{16}}, {"group_size", group_size}, {"unroll", unroll}}};
}

PointResult ended(Point point, double gb_per_s) {
  Measurement measurement;
  measurement.statistics["gb_per_s"] = {gb_per_s, 0, gb_per_s, gb_per_s, 1};
  return {std::move(point), {}, std::move(measurement)};
}

Point with_role(Point point, const char* role) {
  point.parameters["role"] = role;
  return point;
}

const std::vector<Point> kMatrix{configuration(64, 8), configuration(128, 8), configuration(256, 8), configuration(256, 16)};

std::vector<Point> searches() {
  std::vector<Point> points;
  for (const auto& point : kMatrix) points.push_back(with_role(point, "search"));
  return points;
}

TEST_CASE("best configuration: the whole matrix is searched before any is chosen") {
  CHECK(best_configurations(kMatrix, {}, 2) == searches());
  std::vector<PointResult> done;
  for (std::size_t i = 0; i < 3; ++i) done.push_back(ended(searches()[i], 100));
  CHECK(best_configurations(kMatrix, done, 2) == searches());
}

TEST_CASE("best configuration: the fastest get the full protocol, of equals the first, of failures none") {
  auto matrix = searches();
  std::vector<PointResult> done{ended(matrix[0], 90), ended(matrix[1], 100), ended(matrix[2], 100), ended(matrix[3], 120)};
  auto expected = matrix;
  expected.push_back(with_role(kMatrix[3], "best"));
  expected.push_back(with_role(kMatrix[1], "best"));
  CHECK(best_configurations(kMatrix, done, 2) == expected);

  done[3] = {matrix[3], {Status::failed, "the kernel did not build"}, std::nullopt};
  done[1] = {matrix[1], {Status::invalid, "wrong"}, Measurement{}};
  expected = matrix;
  expected.push_back(with_role(kMatrix[2], "best"));
  expected.push_back(with_role(kMatrix[0], "best"));
  CHECK(best_configurations(kMatrix, done, 3) == expected);
  expected.pop_back();
  CHECK(best_configurations(kMatrix, done, 1) == expected);

  for (auto& result : done) result = {result.point, {Status::failed, "x"}, std::nullopt};
  CHECK(best_configurations(kMatrix, done, 3) == matrix);
}

TEST_CASE("best configuration: bytes by the units' own cycles count before GB/s, if all units counted them") {
  auto matrix = searches();
  std::vector<PointResult> done;
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    done.push_back(ended(matrix[i], 100 + static_cast<double>(i)));
    auto& measurement = *done.back().measurement;
    const double cycles = 64 - static_cast<double>(i);
    measurement.statistics["bytes_per_unit_cycle"] = {cycles, 0, cycles, cycles, 1};
    measurement.clock_mhz = {1980, Provenance::measured_in_kernel};
    measurement.samples.resize(1);
    measurement.samples[0].groups = GroupClocks{};
    measurement.samples[0].groups->groups_per_tick = 1;
  }
  CHECK(best_configurations(kMatrix, done, 1).back() == with_role(kMatrix[0], "best"));
  // The slowest unit decides for the whole device; a lowered clock does not matter.
  CHECK(best_configurations(kMatrix, done, 1, Merit::device).back() == with_role(kMatrix[3], "best"));
  done[1].measurement->clock_mhz = {1900, Provenance::measured_in_kernel};
  CHECK(best_configurations(kMatrix, done, 1, Merit::device).back() == with_role(kMatrix[1], "best"));
  done[1].measurement->samples[0].groups.reset();
  CHECK(best_configurations(kMatrix, done, 1, Merit::device).back() == with_role(kMatrix[3], "best"));
  CHECK(best_configurations(kMatrix, done, 1).back() == with_role(kMatrix[3], "best"));
}

TEST_CASE("best configuration: results of other questions are not looked at") {
  auto matrix = searches();
  std::vector<PointResult> done{ended(matrix[0], 90), ended(matrix[1], 100), ended(matrix[2], 100)};
  auto other = matrix[3];
  other.parameters["width"] = std::int64_t{4};
  done.push_back(ended(other, 500));
  CHECK(best_configurations(kMatrix, done, 1) == matrix);
}

TEST_CASE("best configuration: one that is alone needs no search") {
  CHECK(best_configurations({kMatrix[0]}, {}, 3) == std::vector{with_role(kMatrix[0], "best")});
}

TEST_CASE("best configuration: how many, and the trial of a search") {
  CHECK(best_count(Preset::quick) == 1);
  CHECK(best_count(Preset::standard) == 3);
  CHECK(best_count(Preset::full) == 5);
  Trial trial;
  apply_role(trial, with_role(kMatrix[0], "best"));
  CHECK_FALSE(trial.samples);
  CHECK_FALSE(trial.sample_ns);
  apply_role(trial, with_role(kMatrix[0], "search"));
  CHECK(trial.samples == 1);
  CHECK(trial.sample_ns == 0.5e6);
}

TEST_CASE("best configuration: the question is the point without its configuration") {
  CHECK(question_of(with_role(kMatrix[0], "best")) == Parameters{{"width", std::int64_t{16}}});
  CHECK_FALSE(is_search(kMatrix[0]));
  CHECK_FALSE(is_search(with_role(kMatrix[0], "best")));
  CHECK(is_search(with_role(kMatrix[0], "search")));
}

}  // namespace
}  // namespace percycle::best_configuration_test
