#include "expected/loaded_latency.hpp"

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include "analysis/loaded_latency.hpp"
#include "check_words.hpp"
#include "core/data_words.hpp"
#include "core/figures.hpp"
#include "experiments/experiment.hpp"
#include "measured_plan.hpp"
#include "point_examples.hpp"
#include "sim/stream_costs.hpp"
#include "sim_examples.hpp"
#include "vocabulary/latency.hpp"
#include "vocabulary/loaded_latency.hpp"

namespace percycle::loaded_latency_test {
namespace {

/// Tile by tile, like the kernel.
std::uint32_t summed(const MoverShape& shape, std::uint32_t mover, std::uint32_t lane, std::uint64_t turns,
                     const DataWords& data) {
  std::uint32_t sum[kVectorWords] = {};
  for (std::uint64_t turn = 0; turn < turns; ++turn) {
    for (std::uint32_t c = 0; c < kVectorWords; ++c) {
      std::uint32_t joined = 0;
      for (std::uint64_t row = 0; row < kMoverUnroll; ++row) {
        const std::uint64_t tile = mover * shape.tiles + turn % shape.tiles;
        joined ^= data.word(((tile * kMoverUnroll + row) * shape.lanes + lane) * kVectorWords + c);
      }
      sum[c] = sum[c] * 5 + joined;
    }
  }
  return sum[0] + 3 * sum[1] + 5 * sum[2] + 7 * sum[3];
}

TEST_CASE("loaded-latency: the sum of a lane that reads, turn by turn") {
  const DataWords data(3);
  for (const MoverShape& shape : {MoverShape{64, 1}, MoverShape{32, 5}}) {
    for (const std::uint64_t turns : {0, 1, 4, 5, 13}) {
      for (const std::uint32_t lane : {0u, 7u, shape.lanes - 1}) {
        CHECK(read_sum(shape, 2, lane, turns, [&](std::uint64_t i) { return data.word(i); }) ==
              summed(shape, 2, lane, turns, data));
      }
    }
  }
}

TEST_CASE("loaded-latency: pauses add up to one chain of multiply-adds") {
  std::uint32_t idle = 0;
  for (std::uint32_t i = 0; i < 3 * kPauseSteps; ++i) idle = idle * kPauseMultiply + kPauseAdd;
  CHECK(paused(3) == idle);
  CHECK(paused(0) == 0);
}

/// 4 units, an L2 of 1 MiB and a memory, both with a bandwidth.
sim::Model loaded_model() {
  sim::Model model = sim::examples::small();
  model.caches[1].size_bytes = 1024 * 1024;
  model.caches[1].bytes_per_cycle = 96;
  model.memory_bytes_per_cycle = 24;
  return model;
}

double median(const PointResult& result, const char* figure) { return result.measurement->statistics.at(figure).median; }

/// The points of a level and an operation by their loads.
std::map<std::int64_t, const PointResult*> curve_of(const std::vector<PointResult>& results, const char* level,
                                                    const char* operation) {
  std::map<std::int64_t, const PointResult*> curve;
  for (const PointResult& result : results) {
    const Parameters& parameters = result.point.parameters;
    if (result.point.experiment != experiment::kLoadedLatency || word(parameters, parameter::kLevel) != level ||
        word(parameters, parameter::kOperation) != operation)
      continue;
    CHECK_MESSAGE(result.outcome.status == Status::ok, result.outcome.reason);
    curve[integer(parameters, parameter::kLoad)] = &result;
  }
  return curve;
}

TEST_CASE("loaded-latency: on a simulated device each point has the latency of the queue at its traffic") {
  const auto results = sim::measured_plan(loaded_model(), experiment::kLoadedLatency);
  for (const char* level : {loaded_level::kL2, loaded_level::kMemory}) {
    const bool in_memory = level == std::string(loaded_level::kMemory);
    const double idle = in_memory ? 600 : 200;
    const double most = in_memory ? 24 : 96;
    for (const char* operation : {"read", "write", "copy"}) {
      CAPTURE(level);
      CAPTURE(operation);
      const auto curve = curve_of(results, level, operation);
      REQUIRE(curve.size() == 7);
      for (const auto& [load, result] : curve) {
        const double traffic = median(*result, figures::kTrafficGbPerS);
        CHECK(median(*result, figures::kNsPerOp) ==
              doctest::Approx(idle * sim::latency_under_load(traffic / most)).epsilon(0.02));
        CHECK((load == 0) == (traffic == 0));
      }
      CHECK(median(*curve.at(100), figures::kTrafficGbPerS) == doctest::Approx(most).epsilon(0.01));
      // 3 units move data.
      CHECK(median(*curve.at(100), figures::kTrafficBytesPerUnitCycle) == doctest::Approx(most / 3).epsilon(0.01));
    }
  }
  const auto found = read_load_curves(results);
  REQUIRE(found.size() == 6);
  CHECK(found[1].level == loaded_level::kL2);
  CHECK(found[1].operation == "read");
  CHECK(found[1].idle == doctest::Approx(200).epsilon(0.01));
  CHECK(found[1].loaded == doctest::Approx(600).epsilon(0.01));
  CHECK(found[1].most_gb_per_s == doctest::Approx(96).epsilon(0.01));
  // The queue's latency is 1.5 times the idle one at 5/8 of the highest rate. The line from point
  // to point is above it.
  REQUIRE(found[1].knee_gb_per_s);
  CHECK(*found[1].knee_gb_per_s == doctest::Approx(96 * 0.625).epsilon(0.05));
  CHECK(*found[1].knee_gb_per_s < 96 * 0.625);
}

PointResult loaded_point(std::int64_t load, double gb_per_s, double cycles) {
  auto result = examples::measured(
      experiment::kLoadedLatency,
      {{parameter::kLevel, loaded_level::kL2}, {parameter::kOperation, "read"}, {parameter::kLoad, load}}, cycles);
  result.measurement->statistics[figures::kTrafficGbPerS] = {gb_per_s, 0, gb_per_s, gb_per_s, 5};
  return result;
}

TEST_CASE("loaded-latency: the knee lies on the line between two points, or nowhere") {
  std::vector<PointResult> results{loaded_point(100, 900, 500), loaded_point(0, 0, 200), loaded_point(50, 500, 250)};
  auto found = read_load_curves(results);
  REQUIRE(found.size() == 1);
  CHECK(found[0].in_cycles);
  CHECK(found[0].knee_gb_per_s.value() == doctest::Approx(500 + 400 * 50.0 / 250));
  results[0] = loaded_point(100, 900, 299);
  found = read_load_curves(results);
  CHECK_FALSE(found.at(0).knee_gb_per_s);
  CHECK(found[0].loaded == 299);
  results[1].measurement->statistics.erase(figures::kCyclesPerOp);
  CHECK_FALSE(read_load_curves(results).at(0).in_cycles);
  results.erase(results.begin() + 1);  // without an idle point
  CHECK(read_load_curves(results).empty());
}

TEST_CASE("loaded-latency: the L2 holds the walk and all data, and both exceed the first cache") {
  const auto results =
      sim::measured_plan(loaded_model(), experiment::kLoadedLatency, {{parameter::kLevel, loaded_level::kL2}}, Preset::quick);
  for (const PointResult& result : results) {
    if (result.point.experiment != experiment::kLoadedLatency) continue;
    const std::int64_t data = integer(result.point.parameters, parameter::kFootprint);
    CHECK(integer(result.point.parameters, parameter::kChain) == 256 * 1024);
    CHECK(data <= 520 * 1024);
    CHECK(data > 256 * 1024);
  }
}

TEST_CASE("loaded-latency: without a shared cache, one point of the L2 says so") {
  sim::Model model = loaded_model();
  model.caches.pop_back();
  model.paths[0].hops.pop_back();
  const auto results =
      sim::measured_plan(model, experiment::kLoadedLatency,
                         {{parameter::kLevel, loaded_level::kL2}, {parameter::kOperation, "read"}}, Preset::quick);
  REQUIRE(results.back().point.experiment == experiment::kLoadedLatency);
  CHECK(results[results.size() - 2].point.experiment == experiment::kLatency);
  CHECK(results.back().outcome.status == Status::unsupported);
  CHECK_WORDS("loaded-latency.no-shared-cache", results.back().outcome.reason);
}

}  // namespace
}  // namespace percycle::loaded_latency_test
