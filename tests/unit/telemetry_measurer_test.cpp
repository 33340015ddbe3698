#include <doctest/doctest.h>

#include <atomic>
#include <string>
#include <vector>

#include "core/configuration.hpp"
#include "device/sim/sim.hpp"
#include "fake_device.hpp"
#include "measure/measurer.hpp"
#include "measure/statistics.hpp"
#include "unit/brief_measurements.hpp"
#include "unit/sim_examples.hpp"

namespace percycle {
namespace {

/// Says 1500 MHz, at the time of each call.
class FakeRecorder final : public TelemetryRecorder {
 public:
  explicit FakeRecorder(std::string& calls) : calls_(calls) {}
  void start() override { calls_ += "start "; }
  std::vector<TelemetrySample> stop() override {
    calls_ += "stop ";
    return {{0, {.clock_mhz = 1400}},
            {1e6, {.clock_mhz = 1500, .power_w = 300}},
            {2e6, {.clock_mhz = 1500}},
            {3e6, {.power_w = 310}}};
  }

 private:
  std::string& calls_;
};

PointResult measure(Device& device, const Telemetry& telemetry, const Point& point) {
  const std::atomic<bool> stop{false};
  return Measurer(device, stop, &telemetry)
      .measure(*find_experiment(point.experiment), point, examples::brief_protocol(), 42)
      .result;
}

TEST_CASE("telemetry runs beside the samples of a point, not of a search's, and ends with a point that fails") {
  std::string calls;
  const Telemetry telemetry{std::make_unique<FakeRecorder>(calls), "a test"};
  fake::Script script;
  script.info.clock_mhz = Sourced<double>{1000, Provenance::reported};
  {
    fake::FakeDevice device(script);
    const PointResult result = measure(device, telemetry, examples::l1_point(kBestRole));
    REQUIRE_MESSAGE(result.outcome.status == Status::ok, result.outcome.reason);
    const Measurement& m = result.measurement.value();
    CHECK(calls == "start stop ");
    CHECK(m.telemetry.size() == 4);
    CHECK(m.observed.at("telemetry") == "a test");
    CHECK(m.clocks_mhz == std::vector<Sourced<double>>{{1500, Provenance::telemetry}, {1000, Provenance::reported}});
    CHECK(*m.clock_mhz == m.clocks_mhz.front());
    // 8 groups of 64 lanes read 16 B in 64 ns, on four units.
    CHECK(m.statistics.at("bytes_per_unit_cycle").median == 8 * 64 * 16 / 64.0 / 4 / 1.5);
    CHECK(m.statistics.at("cycles_per_op").median == 64 * 1.5);
  }
  {
    calls.clear();
    fake::FakeDevice device(script);
    const PointResult result = measure(device, telemetry, examples::l1_point(kSearchRole));
    CHECK(calls.empty());
    CHECK(result.measurement.value().telemetry.empty());
    CHECK_FALSE(result.measurement.value().observed.contains("telemetry"));
    CHECK(*result.measurement.value().clock_mhz == Sourced<double>{1000, Provenance::reported});
  }
  {
    calls.clear();
    fake::FakeDevice whole(script);
    measure(whole, telemetry, examples::l1_point(kBestRole));
    calls.clear();
    const std::size_t runs = whole.runs;
    script.lost_at_run = runs;  // the last sample
    fake::FakeDevice device(script);
    CHECK(measure(device, telemetry, examples::l1_point(kBestRole)).outcome.status == Status::failed);
    CHECK(calls == "start stop ");
  }
  {
    fake::FakeDevice device(fake::Script{});
    const Telemetry none{nullptr, "none: because"};
    const PointResult result = measure(device, none, examples::l1_point(kBestRole));
    CHECK(result.measurement.value().observed.at("telemetry") == "none: because");
    CHECK_FALSE(result.measurement.value().clock_mhz);
    CHECK(result.measurement.value().clocks_mhz.empty());
  }
}

TEST_CASE("the clock counted in the kernel goes before telemetry, which stays beside it") {
  DeviceInfo info = fake::gpu();
  info.clock_mhz = Sourced<double>{2000, Provenance::reported};
  Measurement m;
  for (int i = 0; i < 3; ++i) m.samples.push_back({.ops = 1000, .timing = {2e6, 1e6}, .clock = {1'900'000, 1e6}});
  m.telemetry = {{0, {.clock_mhz = 1890}}};
  derive_statistics(m, DeviceClock(info));
  CHECK(m.clocks_mhz == std::vector<Sourced<double>>{
                            {1900, Provenance::measured_in_kernel}, {1890, Provenance::telemetry}, {2000, Provenance::reported}});
  CHECK(*m.clock_mhz == Sourced<double>{1900, Provenance::measured_in_kernel});
  CHECK(m.statistics.at("cycles_per_op").median == 1900);
}

TEST_CASE("a simulated device tells its model's clock at the end of each dispatch, throttled too") {
  sim::Model model = sim::examples::small();
  model.clock.mhz = 1000;
  model.clock.throttled_mhz = 600;
  model.clock.throttle_after_ms = 1;
  test_meanings()["test"] = [](const sim::Execution& run, sim::MemoryModel& memory) {
    memory.compute({}, run.parameter("operations"));
  };
  const auto device = open_sim(model, "test", test_meanings());
  const Telemetry telemetry = sim_telemetry(*device);
  CHECK(telemetry.source == "the model's clock");
  const auto buffer = device->create(BufferDesc{4096});
  const auto kernel = device->create(KernelDesc{.name = "test",
                                                .definitions = {},
                                                .local_size = 1,
                                                .bindings = {{"out"}},
                                                .parameters = {{"operations", ""}},
                                                .constants = {},
                                                .subgroup_size = {}});
  const auto run = [&](std::uint32_t operations) {
    return device->run({kernel, {{buffer, nullptr}}, {{"operations", operations}}, 1});
  };

  run(1);
  CHECK(telemetry.recorder->stop().empty());
  telemetry.recorder->start();
  run(1);
  const Timing last = run(10'000'000);
  const auto samples = telemetry.recorder->stop();
  run(1);
  REQUIRE(samples.size() == 2);
  CHECK(samples[0].ns == 0);
  CHECK(samples[0].reading.clock_mhz == 1000.0);
  CHECK(samples[1].ns == doctest::Approx(*last.device_ns));
  CHECK(samples[1].reading.clock_mhz == 600.0);
  CHECK_FALSE(samples[1].reading.power_w);
  CHECK(telemetry.recorder->stop().empty());
}

}  // namespace
}  // namespace percycle
