#include "measure/alu_chain.hpp"
#include "expected/alu_chain.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <cstring>
#include <string>
#include <vector>

#include "check_words.hpp"
#include "core/configuration.hpp"
#include "fake_device.hpp"
#include "limits/limits.hpp"
#include "measure/measurer.hpp"
#include "measure/statistics.hpp"
#include "sim/sim.hpp"
#include "unit/brief_measurements.hpp"
#include "unit/sim_examples.hpp"

namespace percycle::alu_chain_test {
namespace {

constexpr double kLatency = 4;

/// Pair by pair, like the kernel; `without_and`: the number of a pair whose AND is skipped.
std::uint32_t walked(std::uint32_t x, std::uint64_t pairs, std::uint64_t without_and = ~std::uint64_t{0}) {
  for (std::uint64_t i = 0; i < pairs; ++i) {
    x += kAluChainAdd;
    if (i != without_and) x &= kAluChainMask;
  }
  return x;
}

Point latency_point(const char* path = "global") {
  return {"latency",
          {{"path", std::string(path)},
           {"form", std::string("pointer")},
           {"lanes", std::string("1")},
           {"order", std::string("random")},
           {"stride", std::int64_t{128}},
           {"footprint", std::int64_t{4096}}}};
}

const std::string& kernel_of(const Dispatch& dispatch) {
  return dynamic_cast<const fake::FakeKernel&>(*dispatch.kernel).desc.name;
}

/// A device whose arithmetic runs at 2 GHz and whose driver says 1 GHz. Counts the chain's
/// dispatches.
struct Fake {
  explicit Fake(fake::Script changed = {}) : script(std::move(changed)) {
    script.operation_ns = 2;
    script.info.clock_mhz = Sourced<double>{1500, Provenance::reported};
    script.after_run = [this, before = script.after_run](const Dispatch& dispatch, double ns, std::size_t run) {
      if (kernel_of(dispatch) == "alu_chain") ++chains;
      if (before) before(dispatch, ns, run);
    };
  }

  Measurement measure(const Point& point, std::optional<double> latency = kLatency, const Telemetry* telemetry = nullptr) {
    fake::FakeDevice device(script);
    const std::atomic<bool> stop{false};
    Measurer measurer(device, stop, telemetry, latency);
    measurer.measure(*find_experiment(point.experiment), point, examples::brief_protocol(), 42);
    of_first = chains;
    const PointResult result = measurer.measure(*find_experiment(point.experiment), point, examples::brief_protocol(), 42).result;
    REQUIRE_MESSAGE(result.outcome.status == Status::ok, result.outcome.reason);
    return result.measurement.value();
  }

  fake::Script script;
  std::size_t chains = 0;
  std::size_t of_first = 0;  ///< dispatches of the first of the two points that measure() measures
};

class Recorder final : public TelemetryRecorder {
 public:
  explicit Recorder(TelemetryReading reading) : reading_(reading) {}
  void start(bool) override {}
  std::vector<TelemetrySample> stop() override { return {{0, reading_}}; }

 private:
  TelemetryReading reading_;
};

Telemetry telling(TelemetryReading reading) { return {std::make_unique<Recorder>(reading), "a test"}; }

PointResult simulated(const sim::Model& model, const Point& point = latency_point()) {
  const auto device = open_sim(model, "test");
  const std::atomic<bool> stop{false};
  const PointResult result = Measurer(*device, stop, nullptr, sim_alu_latency_cycles(*device))
                                 .measure(*find_experiment(point.experiment), point, examples::brief_protocol(), 42)
                                 .result;
  REQUIRE_MESSAGE(result.outcome.status == Status::ok, result.outcome.reason);
  return result;
}

double mhz(const AluChainRuns& chain, std::size_t run) {
  return static_cast<double>(chain.runs.at(run).ops) * chain.cycles_per_op / chain.runs.at(run).ns * 1e3;
}

TEST_CASE("where the chain ends, in closed form; an operation that was left out shows") {
  for (const std::uint32_t start : {0u, 1u, 0x12345678u, 0x12345679u, 0xfffffffeu, 0xffffffffu}) {
    for (const std::uint64_t pairs : {0, 1, 2, 3, 127, 100'000}) {
      CAPTURE(start);
      CAPTURE(pairs);
      CHECK(alu_chain_end(start, pairs) == walked(start, pairs));
    }
    for (std::uint64_t left_out = 0; left_out < 16; ++left_out)
      CHECK(alu_chain_end(start & ~1u, 16) != walked(start & ~1u, 16, left_out));
  }
  // 2^33 - 1 further steps, modulo 2^32
  CHECK(alu_chain_end(5, std::uint64_t{1} << 33) == walked(5, 1) - (kAluChainAdd - 1));
}

TEST_CASE("the chain's clock goes after read clocks and before reported ones") {
  DeviceInfo info = fake::gpu();
  info.clock_mhz = Sourced<double>{2000, Provenance::reported};
  Measurement m;
  m.samples.push_back({.ops = 1000, .timing = {2e6, 1e6}, .clock = {1'900'000, 1e6}});
  m.telemetry = {{0, {.clock_mhz = 1890}}};
  m.alu_chain = AluChainRuns{.cycles_per_op = 4, .runs = {{1000, 2000}, {1000, 3000}}};
  derive_statistics(m, DeviceClock(info));
  CHECK(m.clocks_mhz == std::vector<Sourced<double>>{{1900, Provenance::measured_in_kernel},
                                                     {1890, Provenance::telemetry},
                                                     {1600, Provenance::calibrated_chain},
                                                     {2000, Provenance::reported}});
  m.samples.front().clock = {};
  m.telemetry.clear();
  derive_statistics(m, DeviceClock(info));
  CHECK(*m.clock_mhz == Sourced<double>{1600, Provenance::calibrated_chain});
  CHECK(m.statistics.at("cycles_per_op").median == 1600);
}

TEST_CASE("without a counter and telemetry the chain gives the clock, before the samples and after") {
  Fake fake;
  const Measurement m = fake.measure(latency_point());
  REQUIRE(m.alu_chain);
  CHECK(m.alu_chain->cycles_per_op == kLatency);
  REQUIRE(m.alu_chain->runs.size() == 2);
  for (const auto& run : m.alu_chain->runs) {
    // Launches and other common parts of both forms cancel out.
    CHECK(run.ns == 2 * static_cast<double>(run.ops));
    CHECK(run.ns > 0.4e6);
    CHECK(run.ns < 2.5e6);
  }
  CHECK(m.clocks_mhz == std::vector<Sourced<double>>{{2000, Provenance::calibrated_chain}, {1500, Provenance::reported}});
  CHECK(*m.clock_mhz == m.clocks_mhz.front());
  CHECK(m.statistics.at("cycles_per_op").median == 128);  // 64 ns
  CHECK(m.warnings.empty());
  CHECK(fake.chains - fake.of_first == 6);  // calibrated once
}

TEST_CASE("the chain runs only if its latency is known and no better source gives the clock") {
  {
    Fake fake;
    CHECK_FALSE(fake.measure(latency_point(), std::nullopt).alu_chain);
    CHECK(fake.chains == 0);
  }
  {
    Fake fake;
    const Telemetry telemetry = telling({.clock_mhz = 1500});
    CHECK(fake.measure(latency_point(), kLatency, &telemetry).clock_mhz->provenance == Provenance::telemetry);
    CHECK(fake.chains == 0);
  }
  {
    Fake fake;
    const Telemetry none{nullptr, "none: because"};
    CHECK(fake.measure(latency_point(), kLatency, &none).alu_chain.value().runs.size() == 2);
  }
  {
    Fake fake;
    const Telemetry telemetry = telling({.power_w = 300});  // but no clock, as only its end shows
    const Measurement m = fake.measure(latency_point(), kLatency, &telemetry);
    CHECK(*m.clock_mhz == Sourced<double>{2000, Provenance::calibrated_chain});
    CHECK(m.alu_chain.value().runs.size() == 1);
  }
  for (const double ticks_per_ns : {2.0, 0.1}) {
    fake::Script script;
    script.info.unit_clock = KernelClock{"test", false, {}};
    script.after_run = [ticks_per_ns](const Dispatch& dispatch, double, std::size_t) {
      if (kernel_of(dispatch) != "latency") return;
      const auto ns = static_cast<double>(dispatch.parameters.at("loops").word()) * 31 * 64;
      const std::uint64_t counts[4] = {1000, 1000 + static_cast<std::uint64_t>(ns * ticks_per_ns), 0, 0};
      std::memcpy(fake::contents(dispatch.bindings.back()).data(), counts, sizeof counts);
    };
    Fake fake(script);
    const Measurement m = fake.measure(latency_point());
    const bool counts = ticks_per_ns > 1;
    CHECK(m.clock_mhz->provenance == (counts ? Provenance::measured_in_kernel : Provenance::calibrated_chain));
    CHECK((fake.chains == 0) == counts);
    CHECK(m.counter_mhz.has_value() != counts);
  }
  {
    Fake fake;
    CHECK_FALSE(fake.measure(examples::l1_point(kSearchRole)).alu_chain);
    CHECK(fake.chains == 0);
    CHECK(fake.measure(examples::l1_point(kBestRole)).clock_mhz->provenance == Provenance::calibrated_chain);
  }
  {
    Fake fake;
    const Point copies{
        "transfer-bandwidth",
        {{"direction", std::string("to-device")}, {"memory", std::string("pageable")}, {"footprint", std::int64_t{65536}}}};
    CHECK_FALSE(fake.measure(copies).alu_chain);
    CHECK(fake.chains == 0);
  }
}

TEST_CASE("a chain that fails costs its clock, once, and not the point") {
  {
    fake::Script script;
    script.after_run = [](const Dispatch& dispatch, double, std::size_t) {
      if (kernel_of(dispatch) == "alu_chain") fake::contents(dispatch.bindings.front()).back() ^= std::byte{0x40};
    };
    Fake fake(script);
    const Measurement m = fake.measure(latency_point());
    CHECK(fake.of_first > 0);
    CHECK(fake.chains == fake.of_first);
    CHECK_FALSE(m.alu_chain);
    CHECK(*m.clock_mhz == Sourced<double>{1500, Provenance::reported});
  }
  {
    Fake fake;
    const std::atomic<bool> stop{false};
    // For any kernel that does not build: only the chain's costs no point.
    int costs_nothing = 0;
    for (std::size_t kernel = 1; kernel <= 8; ++kernel) {
      fake.script.build_failure = kernel;
      fake::FakeDevice device(fake.script);
      const PointResult result = Measurer(device, stop, nullptr, kLatency)
                                     .measure(*find_experiment("latency"), latency_point(), examples::brief_protocol(), 42)
                                     .result;
      if (result.outcome.status != Status::ok || result.measurement->warnings.empty()) continue;
      ++costs_nothing;
      CHECK(result.measurement->warnings.front().starts_with("the dependent-ALU chain did not run: "));
      CHECK(result.measurement->clock_mhz->provenance == Provenance::reported);
    }
    CHECK(costs_nothing == 2);  // its two forms
  }
}

TEST_CASE("a chain whose second run is wrong gives no clock; a device that is lost in it is lost") {
  struct Counted {
    std::size_t chains = 0;
    std::size_t last_run = 0;  ///< of the device, that was the chain's
    std::size_t wrong_from = SIZE_MAX;
  };
  const auto measured = [](Counted& counted, std::optional<std::size_t> lost_at_run) {
    fake::Script script;
    script.operation_ns = 2;
    script.lost_at_run = lost_at_run;
    script.after_run = [&counted](const Dispatch& dispatch, double, std::size_t run) {
      if (kernel_of(dispatch) != "alu_chain") return;
      counted.last_run = run;
      if (++counted.chains >= counted.wrong_from) fake::contents(dispatch.bindings.front()).front() ^= std::byte{2};
    };
    fake::FakeDevice device(script);
    const std::atomic<bool> stop{false};
    return Measurer(device, stop, nullptr, kLatency)
        .measure(*find_experiment("l1-bandwidth"), examples::l1_point(kBestRole), examples::brief_protocol(), 42);
  };
  Counted right;
  CHECK(measured(right, std::nullopt).result.measurement.value().alu_chain.value().runs.size() == 2);
  Counted wrong{.wrong_from = right.chains - 2};
  const Measured half = measured(wrong, std::nullopt);
  CHECK(half.result.outcome.status == Status::ok);
  CHECK_FALSE(half.result.measurement.value().alu_chain);
  CHECK(half.result.measurement->warnings.size() == 1);
  Counted lost;
  CHECK(measured(lost, right.last_run).device_lost);  // after this no other call uses the device
}

TEST_CASE("a chain that takes no time gives no clock") {
  fake::FakeDevice device(fake::Script{});
  AluChain chain(device);
  CHECK_FALSE(chain.run());
}

TEST_CASE("a simulated device without a counter: the model's clock within 1 %, at any latency, launch and noise") {
  for (const double clock : {300.0, 1000.0, 1837.5, 2970.0}) {
    for (const double latency : {2.5, 4.0, 9.0}) {
      sim::Model model = sim::examples::small();
      model.clock.mhz = clock;
      model.cycles_per_operation = latency;
      model.timer.launch_ns = 30000;
      const PointResult result = simulated(model);
      const auto& m = *result.measurement;
      CAPTURE(clock);
      CAPTURE(latency);
      REQUIRE(m.clock_mhz);
      CHECK(m.clock_mhz->provenance == Provenance::calibrated_chain);
      CHECK(m.clock_mhz->value == doctest::Approx(clock).epsilon(0.001));
      CHECK(m.statistics.at("cycles_per_op").median == doctest::Approx(30).epsilon(0.01));
    }
  }
}

TEST_CASE("a simulated device with a counter: the chain runs, too") {
  sim::Model model = sim::examples::small();
  model.clock.mhz = 1590;
  model.unit_clock = sim::UnitClock{};
  const auto m = *simulated(model).measurement;
  REQUIRE(m.clocks_mhz.size() == 3);
  CHECK(m.clocks_mhz[0].provenance == Provenance::measured_in_kernel);
  CHECK(m.clocks_mhz[1].provenance == Provenance::calibrated_chain);
  CHECK(m.clocks_mhz[1].value == doctest::Approx(m.clocks_mhz[0].value).epsilon(0.01));
}

TEST_CASE("a clock that throttles or ramps shows in the chain") {
  {
    sim::Model model = sim::examples::small();
    model.clock.mhz = 1500;
    model.clock.throttled_mhz = 900;
    // The chain takes about 5 ms; the rest is for the samples.
    model.clock.throttle_after_ms = 8;
    const auto device = open_sim(model, "test");
    const std::atomic<bool> stop{false};
    Protocol longer = examples::brief_protocol();
    longer.shortest_sample_ns = longer.longest_target_ns = 20e6;
    const auto m = Measurer(*device, stop, nullptr, kLatency)
                       .measure(*find_experiment("latency"), latency_point(), longer, 42)
                       .result.measurement.value();
    CHECK(mhz(m.alu_chain.value(), 1) == doctest::Approx(900).epsilon(0.01));
    CHECK(m.clock_mhz->value < 1500);
  }
  {
    sim::Model model = sim::examples::small();
    model.clock.mhz = 1500;
    model.clock.idle_mhz = 500;
    model.clock.ramp_ms = 20;
    const auto device = open_sim(model, "test");
    AluChain chain(*device);
    const Telemetry telemetry = sim_telemetry(*device);
    double last = 0;
    for (int i = 0; i < 3; ++i) {
      telemetry.recorder->start(true);
      const AluChainRun run = chain.run().value();
      const auto readings = telemetry.recorder->stop();
      const double mhz = static_cast<double>(run.ops) * kLatency / run.ns * 1e3;
      CHECK(mhz > last);
      // The clock in the middle of the run, from both sides of it.
      CHECK(mhz == doctest::Approx((*readings.front().reading.clock_mhz + *readings[1].reading.clock_mhz) / 2).epsilon(0.02));
      last = mhz;
    }
  }
}

TEST_CASE("the latencies of the catalogue: NVIDIA and AMD up to RDNA 3, of no other and of no CPU") {
  const LimitsCatalogue catalogue = limits_catalogue();
  const auto latency = [&](const char* architecture) {
    const DeviceLimits known = find_limits(catalogue, architecture, {});
    const Limit* limit = known.find(Quantity::alu_latency);
    return limit != nullptr ? limit->value : 0;
  };
  CHECK(latency("Kepler") == 9);
  CHECK(latency("Maxwell") == 6);
  CHECK(latency("Pascal") == 6);
  CHECK(latency("Volta") == 4);
  CHECK(latency("Turing") == 4);
  for (const char* gcn : {"GCN1", "GCN2", "GCN3", "GCN4", "GCN3 or GCN4", "GCN5"}) CHECK(latency(gcn) == 4);
  for (const char* rdna : {"RDNA1", "RDNA2", "RDNA3", "RDNA3.5"}) CHECK(latency(rdna) == 5);
  for (const char* none : {"CPU", "Hopper", "RDNA4", "CDNA3", "Gen9", "Xe-HPG"}) CHECK(latency(none) == 0);
}

}  // namespace
}  // namespace percycle::alu_chain_test
