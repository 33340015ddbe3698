#include "expected/loaded_unit.hpp"

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include "analysis/loaded_latency.hpp"
#include "check_words.hpp"
#include "core/data_words.hpp"
#include "core/error.hpp"
#include "core/figures.hpp"
#include "experiments/experiment.hpp"
#include "measured_plan.hpp"
#include "sim/stream_costs.hpp"
#include "sim_examples.hpp"
#include "vocabulary/loaded_latency.hpp"

namespace percycle::loaded_unit_test {
namespace {

/// Turn by turn, like the kernel.
std::uint32_t loaded(const MoverShape& shape, std::uint32_t loader, std::uint64_t turns, std::uint64_t pause,
                     const DataWords& data) {
  std::uint32_t sum[kVectorWords] = {};
  std::uint32_t idle = 0;
  std::uint64_t tile = 0;
  for (std::uint64_t turn = 0; turn < turns; ++turn) {
    for (int each = 0; each < 2; ++each) {
      for (std::uint32_t c = 0; c < kVectorWords; ++c) {
        std::uint32_t joined = 0;
        for (std::uint64_t row = 0; row < 8; ++row)
          joined ^= data.word(((tile * 8 + row) * shape.lanes + loader % shape.lanes) * kVectorWords + c);
        sum[c] = sum[c] * 5 + joined;
      }
      tile = (tile + 1) % shape.tiles;
    }
    for (std::uint64_t step = 0; step < 4 * pause; ++step) idle = idle * kPauseMultiply + kPauseAdd;
  }
  return sum[0] + 3 * sum[1] + 5 * sum[2] + 7 * sum[3] + idle;
}

TEST_CASE("loaded-latency: the sum of a loader, turn by turn") {
  const DataWords data(3);
  for (const std::uint32_t tiles : {1u, 3u}) {
    const MoverShape shape = loader_shape(32, tiles);
    CHECK(shape.tile_bytes() == 4096);
    for (const std::uint64_t turns : {0, 1, 2, 5}) {
      for (const std::uint64_t pause : {0, 3}) {
        for (const std::uint32_t loader : {0u, 31u, 40u}) {
          CHECK(loader_sum(shape, loader, turns, pause, [&](std::uint64_t i) { return data.word(i); }) ==
                loaded(shape, loader, turns, pause, data));
        }
      }
    }
  }
}

/// A first cache of 16 KiB with 64 B per cycle, and local memory with 32; a clock of the unit.
sim::Model unit_model() {
  sim::Model model = sim::examples::small();
  model.caches[0].size_bytes = 16 * kKiB;
  model.caches[0].bytes_per_cycle = 64;
  model.local.bytes_per_cycle = 32;
  model.unit_clock = sim::UnitClock{.overhead_cycles = 0};
  return model;
}

const std::map<std::string, std::string> kUnitLevels{{parameter::kLevel, "local,l1"}};

std::vector<PointResult> loaded_points(std::vector<PointResult> results) {
  std::erase_if(results, [](const PointResult& each) { return each.point.experiment != experiment::kLoadedLatency; });
  return results;
}

double median_of(const PointResult& result, const char* figure) { return result.measurement->statistics.at(figure).median; }

TEST_CASE("loaded-latency: within a simulated unit each point has the latency of the queue at its traffic") {
  const auto results = loaded_points(sim::measured_plan(unit_model(), experiment::kLoadedLatency, kUnitLevels));
  CHECK(results.size() == 14);
  for (const PointResult& result : results) {
    CAPTURE(to_string(result.point));
    REQUIRE_MESSAGE(result.outcome.status == Status::ok, result.outcome.reason);
    const bool in_local = word(result.point.parameters, parameter::kLevel) == loaded_level::kLocal;
    const double idle = in_local ? 20 : 30;
    const double most = in_local ? 32 : 64;
    const double traffic = median_of(result, figures::kTrafficGbPerS);
    const std::int64_t load = integer(result.point.parameters, parameter::kLoad);
    CHECK(median_of(result, figures::kNsPerOp) == doctest::Approx(idle * sim::latency_under_load(traffic / most)).epsilon(0.02));
    CHECK((load == 0) == (traffic == 0));
    CHECK(integer(result.point.parameters, parameter::kChain) == 4096);
    if (load < 100) continue;
    // One unit moves data.
    CHECK(traffic == doctest::Approx(most).epsilon(0.01));
    CHECK(median_of(result, figures::kTrafficBytesPerUnitCycle) == doctest::Approx(most).epsilon(0.01));
  }
  const auto found = read_load_curves(results);
  REQUIRE(found.size() == 2);
  CHECK(found[0].level == loaded_level::kL1);
  CHECK(found[0].idle == doctest::Approx(30).epsilon(0.01));
  CHECK(found[0].loaded == doctest::Approx(90).epsilon(0.01));
  CHECK(found[0].knee_gb_per_s.value() == doctest::Approx(64 * 0.625).epsilon(0.05));
}

/// The outcome of the only point of a level.
std::string reason_of(const sim::Model& model, const char* level) {
  const auto results = loaded_points(
      sim::measured_plan(model, experiment::kLoadedLatency, {{parameter::kLevel, level}, {parameter::kOperation, "read"}}));
  REQUIRE(results.size() == 1);
  CHECK(results.front().outcome.status == Status::unsupported);
  return results.front().outcome.reason;
}

TEST_CASE("loaded-latency: without a first cache that holds walk and data, one point says so") {
  sim::Model model = unit_model();
  model.caches[0].size_bytes = 4 * kKiB;
  CHECK_WORDS("loaded-latency.no-first-cache", reason_of(model, loaded_level::kL1));
}

/// Why a device cannot run a walk in local memory beside all loaders.
std::string unit_reason(const DeviceInfo& device) {
  const Point point{experiment::kLoadedLatency,
                    {{parameter::kLevel, loaded_level::kLocal},
                     {parameter::kOperation, "read"},
                     {parameter::kLoad, std::int64_t{50}},
                     {parameter::kChain, std::int64_t{4096}},
                     {parameter::kStride, std::int64_t{64}},
                     {parameter::kFootprint, std::int64_t{4096}},
                     {"group_size", std::int64_t{288}}}};
  return find_experiment(experiment::kLoadedLatency)->unsupported(device, point).value_or("");
}

TEST_CASE("loaded-latency: within a unit, a point says what the device lacks") {
  const DeviceInfo able = sim::describe(unit_model(), "test");
  CHECK(unit_reason(able).empty());
  DeviceInfo lacking = able;
  lacking.type = DeviceType::cpu;
  CHECK_WORDS("loaded-latency.cpu", unit_reason(lacking));
  lacking = able;
  lacking.unit_clock.reset();
  lacking.device_clock.reset();
  CHECK_WORDS("loaded-latency.no-clock", unit_reason(lacking));
  lacking.device_clock = able.unit_clock;
  CHECK(unit_reason(lacking).empty());
  lacking = able;
  lacking.subgroup_sizes.clear();
  CHECK_WORDS("device.no-subgroup-size", unit_reason(lacking));
  lacking = able;
  lacking.local_memory_bytes = 8191;
  CHECK_WORDS("loaded-latency.little-local", unit_reason(lacking));
  lacking.local_memory_bytes = 8192;
  CHECK(unit_reason(lacking).empty());
  lacking.max_group_size = 256;
  CHECK_WORDS("loaded-latency.small-groups", unit_reason(lacking));
}

TEST_CASE("loaded-latency: within a unit, a limit of loops is the reason only if the walk exceeds it") {
  DeviceInfo device = sim::describe(unit_model(), "test");
  // A quarter holds copies (12), warm-up (3) and two looks at the marks of 8 rows; a pause of 32
  // turns fits half.
  device.max_loop_iterations = 128;
  CHECK(unit_reason(device).empty());
  device.max_loop_iterations = 127;
  CHECK_WORDS("loaded-latency.few-loops", unit_reason(device));
}

TEST_CASE("loaded-latency: within a unit, the others only read") {
  const auto* loaded = find_experiment(experiment::kLoadedLatency);
  const auto planned = [&](const char* operations) {
    const Options options =
        make_options({&loaded, 1}, {{parameter::kLevel, "local"}, {parameter::kOperation, operations}}, Preset::quick, 1).front();
    return loaded->plan(sim::describe(unit_model(), "test"), options, {});
  };
  CHECK(planned("read,write").size() == 3);
  CHECK_THROWS_WORDS("loaded-latency.unit-reads", UsageError, planned("write,copy"));
}

}  // namespace
}  // namespace percycle::loaded_unit_test
