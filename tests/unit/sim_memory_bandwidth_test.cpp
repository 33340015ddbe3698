#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "measure/measurer.hpp"
#include "sim/sim.hpp"
#include "sim_examples.hpp"

namespace percycle::sim::sim_memory_bandwidth_test {
namespace {

/// `small` at 1.5 GHz: 64 B per cycle from each first level, 96 from the second, 32 from memory.
Model model() {
  Model model = examples::small();
  model.caches[0].bytes_per_cycle = 64;
  model.caches[1].bytes_per_cycle = 96;
  model.memory_bytes_per_cycle = 32;
  model.clock.mhz = 1500;
  model.unit_clock = UnitClock{};
  return model;
}

Point cache(const char* mode, std::int64_t footprint, std::int64_t groups = 4) {
  return {"cache-bandwidth",
          {{"test", std::string("footprint")},
           {"mode", std::string(mode)},
           {"footprint", footprint},
           {"groups", groups},
           {"group_size", std::int64_t{256}},
           {"unroll", std::int64_t{4}}}};
}

Point dram(const char* op, std::int64_t width, std::int64_t footprint) {
  return {"dram-bandwidth",
          {{"op", std::string(op)},
           {"width", width},
           {"footprint", footprint},
           {"group_size", std::int64_t{256}},
           {"unroll", std::int64_t{4}}}};
}

/// Readings that look new but come from another load.
class StaleRecorder final : public TelemetryRecorder {
 public:
  void start(bool) override {}
  std::vector<TelemetrySample> stop() override {
    return {{0, {.clock_mhz = 900, .power_w = 100}}, {1e6, {.clock_mhz = 900, .power_w = 101}}};
  }
};

Measurement measured(const Model& model, const Point& point, const Telemetry* telemetry = nullptr) {
  Protocol protocol;
  protocol.stopping = {.min_samples = 3, .max_samples = 3, .relative_error = 1};
  protocol.shortest_sample_ns = 5e5;
  protocol.longest_target_ns = 5e5;
  protocol.settle_ns = 0;
  const auto device = open_sim(model, "test");
  const std::atomic<bool> stop{false};
  const PointResult result =
      Measurer(*device, stop, telemetry).measure(*find_experiment(point.experiment), point, protocol, 7).result;
  REQUIRE_MESSAGE(result.outcome.status == Status::ok, result.outcome.reason);
  return result.measurement.value();
}

double gb_per_s(const Model& model, const Point& point) { return measured(model, point).statistics.at("gb_per_s").median; }

TEST_CASE("sim bandwidth: each level's bytes per cycle by footprint, shared by all units, within 1 %") {
  CHECK(gb_per_s(model(), cache("shared", 4 * 1024)) == doctest::Approx(64 * 4 * 1.5).epsilon(0.01));
  CHECK(gb_per_s(model(), cache("shared", 64 * 1024)) == doctest::Approx(96 * 1.5).epsilon(0.01));
  CHECK(gb_per_s(model(), cache("shared", 256 * 1024)) == doctest::Approx(32 * 1.5).epsilon(0.01));
  const auto m = measured(model(), cache("shared", 64 * 1024));
  CHECK(m.statistics.at("bytes_per_unit_cycle").median == doctest::Approx(96.0 / 4).epsilon(0.01));
  CHECK(m.statistics.at("units").median == 4);
  CHECK(m.statistics.at("groups_at_once").median == doctest::Approx(1));
}

TEST_CASE("sim bandwidth: private slices are read past the unit's own cache, however large it is") {
  CHECK(gb_per_s(model(), cache("private", 64 * 1024)) == doctest::Approx(96 * 1.5).epsilon(0.01));
  CHECK(gb_per_s(model(), cache("private", 256 * 1024)) == doctest::Approx(32 * 1.5).epsilon(0.01));
  Model large = model();
  large.caches[0].size_bytes = 64 * kKiB;
  CHECK(gb_per_s(large, cache("private", 64 * 1024)) == doctest::Approx(96 * 1.5).epsilon(0.01));
  CHECK(gb_per_s(large, cache("shared", 64 * 1024)) == doctest::Approx(64 * 4 * 1.5).epsilon(0.01));
}

TEST_CASE("sim bandwidth: a single unit reaches its own limit of a shared level; several units share the level's limit") {
  for (const std::int64_t groups : {1, 2, 4, 8}) {
    CAPTURE(groups);
    const double alone = 64.0 * static_cast<double>(std::min<std::int64_t>(groups, 4));
    CHECK(gb_per_s(model(), cache("private", groups == 8 ? 8 * 16384 : 65536, groups)) ==
          doctest::Approx(groups == 8 ? 32 * 1.5 : std::min(alone, 96.0) * 1.5).epsilon(0.01));
  }
}

TEST_CASE("sim bandwidth: memory's bytes per cycle by every operation, within 1 %") {
  for (const std::int64_t width : {4, 8, 16}) {
    CHECK(gb_per_s(model(), dram("read", width, 1 << 20)) == doctest::Approx(32 * 1.5).epsilon(0.01));
    CHECK(gb_per_s(model(), dram("write", width, 1 << 20)) == doctest::Approx(32 * 1.5).epsilon(0.01));
  }
  CHECK(gb_per_s(model(), dram("copy", 16, 2 << 20)) == doctest::Approx(32 * 1.5).epsilon(0.01));
  CHECK(gb_per_s(model(), dram("scale", 8, 2 << 20)) == doctest::Approx(32 * 1.5).epsilon(0.01));
  CHECK(gb_per_s(model(), dram("triad", 16, 3 << 20)) == doctest::Approx(32 * 1.5).epsilon(0.01));
}

TEST_CASE("sim bandwidth: memory passes count their own cycles, whatever the telemetry says") {
  const Telemetry telemetry{std::make_unique<StaleRecorder>(), "stale"};
  constexpr double kRounding = 1e-5;  // of counter and timer
  for (const char* op : {"read", "write", "copy", "scale", "triad"}) {
    CAPTURE(op);
    const Measurement m = measured(model(), dram(op, 16, 6 << 20), &telemetry);
    REQUIRE(m.clock_mhz);
    CHECK(m.clock_mhz->provenance == Provenance::measured_in_kernel);
    CHECK(m.clock_mhz->value == doctest::Approx(1500).epsilon(kRounding));
    CHECK(m.clocks_mhz.at(1) == Sourced<double>{900, Provenance::telemetry});
    CHECK(m.statistics.at("bytes_per_unit_cycle").median == doctest::Approx(32.0 / 4).epsilon(kRounding));
    CHECK(m.statistics.at("units").median == 4);
    CHECK_FALSE(m.statistics.contains("groups_at_once"));
  }
}

TEST_CASE("sim bandwidth: memory passes without a readable counter take the clock from telemetry") {
  const Telemetry telemetry{std::make_unique<StaleRecorder>(), "stale"};
  Model blind = model();
  blind.unit_clock.reset();
  const Measurement m = measured(blind, dram("read", 16, 1 << 20), &telemetry);
  CHECK(*m.clock_mhz == Sourced<double>{900, Provenance::telemetry});
  CHECK_FALSE(m.samples[0].groups);

  Model fixed = model();  // a counter that is no core clock
  fixed.unit_clock->tick_mhz = 100;
  const Measurement by_fixed = measured(fixed, dram("read", 16, 1 << 20), &telemetry);
  CHECK(*by_fixed.clock_mhz == Sourced<double>{900, Provenance::telemetry});
  CHECK(by_fixed.counter_mhz.value() == doctest::Approx(100).epsilon(1e-3));
}

}  // namespace
}  // namespace percycle::sim::sim_memory_bandwidth_test
