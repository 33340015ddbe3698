#include <doctest/doctest.h>

#include <atomic>
#include <string>
#include <vector>

#include "check_words.hpp"
#include "core/configuration.hpp"
#include "fake_device.hpp"
#include "measure/measurer.hpp"
#include "measure/statistics.hpp"
#include "sim/sim.hpp"
#include "unit/brief_measurements.hpp"
#include "unit/sim_examples.hpp"

namespace percycle::telemetry_measurer_test {
namespace {

/// Reports 1500 MHz at the time of each call.
class FakeRecorder final : public TelemetryRecorder {
 public:
  explicit FakeRecorder(std::string& calls) : calls_(calls) {}
  void start(bool) override { calls_ += "start "; }
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

TEST_CASE("telemetry runs during the samples of a point, not of a search point, and ends if the point fails") {
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

TEST_CASE("a telemetry reading that is older than the samples gives no clock") {
  DeviceInfo info = fake::gpu();
  info.clock_mhz = Sourced<double>{2000, Provenance::reported};
  const TelemetryReading before{.clock_mhz = 1185, .power_w = 122.764, .temperature_c = 30};
  const TelemetryReading under_load{.clock_mhz = 1980, .power_w = 400.5, .temperature_c = 31};
  const auto clocks = [&](std::vector<TelemetrySample> telemetry) {
    Measurement m;
    for (int i = 0; i < 3; ++i) m.samples.push_back({.ops = 1000, .timing = {2e6, 1e6}, .clock = {}});
    m.telemetry = std::move(telemetry);
    derive_statistics(m, DeviceClock(info));
    return m;
  };
  const Measurement stale = clocks({{0, before}, {3e6, before}, {6e6, before}});
  CHECK(stale.clocks_mhz == std::vector<Sourced<double>>{{2000, Provenance::reported}});
  CHECK_WORDS("telemetry.no-change", stale.warnings);
  const Measurement refreshed = clocks({{0, before}, {3e6, before}, {6e6, under_load}, {9e6, under_load}});
  CHECK(refreshed.clocks_mhz.front() == Sourced<double>{1980, Provenance::telemetry});
  CHECK(refreshed.warnings.empty());
  // Only the power shows a refresh; without a power reading the clock is read on request.
  CHECK(clocks({{0, before}, {3e6, {1185, 130, 30}}}).clocks_mhz.front() == Sourced<double>{1185, Provenance::telemetry});
  CHECK(clocks({{0, {.clock_mhz = 1150}}, {3e6, {.clock_mhz = 1150}}}).clocks_mhz.front() ==
        Sourced<double>{1150, Provenance::telemetry});
}

/// A point with these clocks; 0: none. The chain's operations take one cycle each.
Measurement with_clocks(double telemetry_mhz, double chain_mhz, double reported_mhz) {
  DeviceInfo info = fake::gpu();
  if (reported_mhz > 0) info.clock_mhz = Sourced<double>{reported_mhz, Provenance::reported};
  Measurement m;
  for (int i = 0; i < 3; ++i) m.samples.push_back({.ops = 1000, .timing = {2e6, 1e6}, .clock = {}});
  if (telemetry_mhz > 0) m.telemetry = {{0, {.clock_mhz = telemetry_mhz}}};
  if (chain_mhz > 0) m.alu_chain = AluChainRuns{.cycles_per_op = 1, .runs = {{.ops = 1000000, .ns = 1e9 / chain_mhz}}};
  derive_statistics(m, DeviceClock(info));
  return m;
}

TEST_CASE("a clock that no core has normalizes nothing") {
  const Measurement fast = with_clocks(24457, 0, 2445);
  CHECK(*fast.clock_mhz == Sourced<double>{2445, Provenance::reported});
  CHECK_WORDS("clock.impossible", fast.warnings);
  CHECK(*with_clocks(1, 0, 2445).clock_mhz == Sourced<double>{2445, Provenance::reported});
  CHECK_FALSE(with_clocks(0, 0, 4294967295).clock_mhz);
  CHECK_FALSE(with_clocks(49, 0, 0).clock_mhz);
  CHECK(with_clocks(50, 0, 0).clock_mhz->value == 50);
  CHECK(with_clocks(6000, 0, 0).clock_mhz->value == 6000);
}

TEST_CASE("a measured clock against which two others agree is left out") {
  const Measurement high = with_clocks(3000, 1200, 1300);
  CHECK(high.clock_mhz->provenance == Provenance::calibrated_chain);
  CHECK_WORDS("clock.outvoted", high.warnings);
  // An idle card runs below its maximum, but the chain contradicts.
  CHECK(with_clocks(300, 1200, 1300).clock_mhz->provenance == Provenance::telemetry);
  CHECK_FALSE(with_clocks(300, 1200, 1300).warnings.empty());
}

TEST_CASE("two clocks that contradict each other are named; a clock below the reported one does not") {
  const Measurement two = with_clocks(3000, 0, 1500);
  CHECK(two.clock_mhz->value == 3000);
  CHECK_WORDS("clock.contradiction", two.warnings);
  CHECK(with_clocks(2200, 0, 1500).warnings.empty());
  CHECK(with_clocks(345, 345, 1980).warnings.empty());
  CHECK(with_clocks(1980, 1900, 1980).warnings.empty());
}

/// Refreshes its readings only after a number of requests.
class SlowRecorder final : public TelemetryRecorder {
 public:
  SlowRecorder(int reads_until, int& reads) : reads_until_(reads_until), reads_(reads) {}
  void start(bool) override { reads_ = 0; }
  bool refreshed() const override { return ++reads_ >= reads_until_; }
  std::vector<TelemetrySample> stop() override {
    const TelemetryReading idle{.clock_mhz = 345, .power_w = 70};
    if (reads_ < reads_until_) return {{0, idle}, {3e6, idle}};
    return {{0, idle}, {3e6, idle}, {6e6, {.clock_mhz = 1500, .power_w = 300}}};
  }

 private:
  int reads_until_;
  int& reads_;
};

TEST_CASE("without a counter the device stays loaded until telemetry is refreshed") {
  int reads = 0;
  const Telemetry telemetry{std::make_unique<SlowRecorder>(3, reads), "a test"};
  fake::FakeDevice device(fake::Script{});
  const Measurement m = measure(device, telemetry, examples::l1_point(kBestRole)).measurement.value();
  CHECK(reads == 3);
  CHECK(*m.clock_mhz == Sourced<double>{1500, Provenance::telemetry});
  CHECK(m.samples.size() == 3);
}

/// Reports one warning about its device's state.
class SpoiledRecorder final : public TelemetryRecorder {
 public:
  void start(bool) override {}
  std::vector<TelemetrySample> stop() override { return {}; }
  Conditions conditions() override { return {{{"mig", "on"}}, {"MIG splits the GPU: percycle measured one part of it"}}; }
};

TEST_CASE("a record has the states that spoil its measurement") {
  fake::FakeDevice device(fake::Script{});
  const Telemetry telemetry{std::make_unique<SpoiledRecorder>(), "a test"};
  const Measurement m = measure(device, telemetry, examples::l1_point(kBestRole)).measurement.value();
  CHECK(m.observed.at("mig") == "on");
  CHECK(m.observed.at("telemetry") == "a test");
  CHECK_WORDS("telemetry.mig-warning", m.warnings);
}

TEST_CASE("the clock counted in the kernel takes precedence over telemetry, which the record keeps") {
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

TEST_CASE("a simulated device reports its model's clock after each dispatch, also when throttled") {
  sim::Model model = sim::examples::small();
  model.clock.mhz = 1000;
  model.clock.throttled_mhz = 600;
  model.clock.throttle_after_ms = 1;
  test_emulations()["test"] = [](const sim::Execution& run, sim::MemoryModel& memory) {
    memory.compute({}, run.parameter("operations"));
  };
  const auto device = open_sim(model, "test", test_emulations());
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
  telemetry.recorder->start(true);
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
}  // namespace percycle::telemetry_measurer_test
