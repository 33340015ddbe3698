#include "analysis/constant_words.hpp"

#include <doctest/doctest.h>

#include <set>
#include <vector>

#include "check_words.hpp"
#include "experiments/experiment.hpp"
#include "fake_device.hpp"
#include "point_examples.hpp"
#include "vocabulary/chases.hpp"
#include "vocabulary/constant_words.hpp"

namespace percycle::constant_words_test {
namespace {

PointResult words_point(std::int64_t bytes, std::int64_t words, double cycles) {
  return examples::measured(experiment::kConstantWords,
                            {{parameter::kBytes, bytes}, {parameter::kStride, 64}, {parameter::kWords, words}}, cycles);
}

TEST_CASE("constant words: each chain has the time of one word and of each further one") {
  std::vector<PointResult> results;
  for (const std::int64_t words : {32, 1, 8, 2}) {
    results.push_back(words_point(65536, words, 100 + 20.0 * static_cast<double>(words - 1)));
    results.push_back(words_point(1408, words, 30 + 4.0 * static_cast<double>(words - 1)));
  }
  const auto found = read_constant_words(results);
  REQUIRE(found.size() == 2);
  CHECK(found[0].bytes == 1408);
  CHECK(found[0].in_cycles);
  CHECK(found[0].most_words == 32);
  CHECK(found[0].one_word == doctest::Approx(30));
  CHECK(found[0].each_further == doctest::Approx(4));
  CHECK(found[0].most == doctest::Approx(154));
  CHECK(found[0].unevenness == doctest::Approx(0));
  CHECK(found[1].bytes == 65536);
  CHECK(found[1].each_further == doctest::Approx(20));
}

TEST_CASE("constant words: a time off the line shows, nanoseconds replace missing cycles, too few counts give no result") {
  std::vector<PointResult> results{words_point(1408, 1, 30), words_point(1408, 2, 30)};
  CHECK(read_constant_words(results).empty());
  results.push_back(words_point(1408, 3, 60));
  auto found = read_constant_words(results);
  REQUIRE(found.size() == 1);
  CHECK(found[0].unevenness > 0.1);
  results[0].measurement->statistics.erase("cycles_per_op");
  found = read_constant_words(results);
  REQUIRE(found.size() == 1);
  CHECK_FALSE(found[0].in_cycles);
  CHECK(found[0].one_word == doctest::Approx(15));
  results.erase(results.begin());  // without one word
  results.push_back(words_point(1408, 4, 70));
  CHECK(read_constant_words(results).empty());
}

TEST_CASE("constant-words: lanes have a place each, and the last chain fills constant memory up to 64 KiB") {
  const Experiment& experiment = *find_experiment(experiment::kConstantWords);
  const Experiment* const chosen[] = {&experiment};
  const Options options = make_options(chosen, {}, Preset::standard, 1).front();
  const DeviceInfo info = fake::gpu();
  const auto first = experiment.plan(info, options, {});
  REQUIRE_FALSE(first.empty());
  CHECK(first.front().experiment == "latency");
  std::vector<PointResult> done;
  for (const Point& point : first) done.push_back({point, {Status::failed, "not measured"}, std::nullopt});
  const auto points = experiment.plan(info, options, done);
  REQUIRE_FALSE(points.empty());
  for (const Point& point : points) {
    CHECK(point.experiment == experiment::kConstantWords);
    CHECK_FALSE(experiment.unsupported(info, point));
    CHECK(integer(point.parameters, parameter::kBytes) == static_cast<std::int64_t>(info.constant_bytes));
    CHECK(integer(point.parameters, parameter::kWords) <= info.subgroup_sizes.front());
  }
  CHECK(integer(points.back().parameters, parameter::kWords) == info.subgroup_sizes.front());
  DeviceInfo vast = info;
  vast.constant_bytes = UINT32_MAX;
  CHECK(integer(experiment.plan(vast, options, done).back().parameters, parameter::kBytes) == 64 * 1024);
  DeviceInfo without = info;
  without.subgroup_sizes.clear();
  const auto refused = experiment.plan(without, options, {});
  REQUIRE(refused.size() == 1);
  CHECK_WORDS("device.no-subgroup-size", experiment.unsupported(without, refused[0]));
}

TEST_CASE("constant-words: a level that only several buffers reach has no chain") {
  const Experiment& experiment = *find_experiment(experiment::kConstantWords);
  const Experiment* const chosen[] = {&experiment};
  const Options options = make_options(chosen, {}, Preset::standard, 1).front();
  const DeviceInfo info = fake::gpu();
  const auto measured = [](const Parameters& parameters) {
    const std::int64_t bytes = integer(parameters, parameter::kFootprint);
    return examples::measured("latency", parameters, bytes <= 2048 ? 25 : bytes <= 131072 ? 80 : 220);
  };
  std::vector<PointResult> done;
  auto points = experiment.plan(info, options, done);
  Parameters beyond = points.front().parameters;
  for (std::int64_t bytes = 69632; bytes <= 1048576; bytes += bytes / 16 / 4096 * 4096 + 4096) {
    beyond[parameter::kFootprint] = bytes;
    done.push_back(measured(beyond));
  }
  while (points.front().experiment == "latency") {
    for (const Point& point : points) done.push_back(measured(point.parameters));
    points = experiment.plan(info, options, done);
  }
  std::set<std::int64_t> chains;
  for (const Point& point : points) chains.insert(integer(point.parameters, parameter::kBytes));
  CHECK(chains.size() == 2);
  CHECK(*chains.begin() < 2048);
  CHECK(*chains.rbegin() == 65536);
}

}  // namespace
}  // namespace percycle::constant_words_test
