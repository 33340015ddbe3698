#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "check_words.hpp"
#include "fake_device.hpp"
#include "measure/measurer.hpp"
#include "sim/sim.hpp"
#include "sim_examples.hpp"

namespace percycle::measurer_test {
namespace {

Point point(const std::string& path, const std::string& form, std::int64_t footprint = 4096, const std::string& lanes = "1") {
  return {"latency",
          {{"path", path},
           {"form", form},
           {"lanes", lanes},
           {"order", "random"},
           {"stride", std::int64_t{64}},
           {"footprint", footprint}}};
}

const std::vector<Point>& every_path() {
  static const std::vector<Point> points{point("global", "pointer"),       point("global", "offset32"),
                                         point("global-index", "index"),   point("global-index", "byte-offset"),
                                         point("scalar", "index"),         point("scalar", "byte-offset"),
                                         point("texture", "index"),        point("constant", "index"),
                                         point("constant", "byte-offset"), point("local", "index"),
                                         point("local", "byte-offset")};
  return points;
}

/// Few and short samples: 64 us.
Protocol brief() {
  Protocol protocol;
  protocol.stopping = {.min_samples = 3, .max_samples = 5, .relative_error = 0.01};
  protocol.shortest_sample_ns = 65536;
  protocol.longest_target_ns = 65536;
  protocol.control_samples = 2;
  protocol.settle_ns = 100000;
  return protocol;
}

const Experiment& latency() { return *find_experiment("latency"); }

struct Measuring {
  explicit Measuring(fake::Script script) : device(std::move(script)) {}
  Measured operator()(const Point& wanted) { return measurer.measure(latency(), wanted, brief(), 42); }

  fake::FakeDevice device;
  std::atomic<bool> stop{false};
  Measurer measurer{device, stop};
};

Measured measured(const fake::Script& script, const Point& wanted = point("global", "pointer")) {
  return Measuring(script)(wanted);
}

TEST_CASE("every path's latency is found exactly, for one lane and for a subgroup") {
  for (const auto& path : every_path()) {
    for (const char* lanes : {"1", "subgroup"}) {
      Point each = path;
      each.parameters["lanes"] = lanes;
      CAPTURE(to_string(each));
      fake::Script script;
      script.info.subgroup_sizes = {8};
      const auto result = measured(script, each).result;
      CHECK(result.point == each);
      REQUIRE_MESSAGE(result.outcome.status == Status::ok, result.outcome.reason);
      REQUIRE(result.measurement);
      const auto& m = *result.measurement;
      CHECK(m.time_source == "device timer");
      const auto& ns = m.statistics.at("ns_per_op");
      CHECK(ns.median == 64);
      CHECK(ns.mad == 0);
      CHECK(ns.n == 3);
      CHECK(m.samples.size() == 3);
      CHECK(m.verified_samples == 3);
      CHECK(m.control_samples.size() == 2);
      CHECK(m.observed.at("subgroup_size") == "8");
      CHECK(m.warnings.empty());
      // 64 nodes, one lap before the clocks: three turns of 31 loads.
      CHECK(m.idle_ns == 4096 + 93 * 64);
      const auto& sample = m.samples.front();
      CHECK(sample.ops % 31 == 0);
      CHECK(*sample.timing.device_ns == 10048 + 64.0 * static_cast<double>(sample.ops));
      CHECK(*sample.timing.device_ns - 10048 >= 65536);
      CHECK(m.share_walked == 3.0 * static_cast<double>(sample.ops) / 64);
    }
  }
}

TEST_CASE("a device without a timer is timed by the host") {
  fake::Script script;
  script.device_timer = false;
  script.info.timer_period_ns.reset();
  const auto result = measured(script).result;
  REQUIRE(result.outcome.status == Status::ok);
  CHECK(result.measurement->time_source == "host timer");
  CHECK(result.measurement->statistics.at("ns_per_op").median == 64);
  CHECK_FALSE(result.measurement->statistics.contains("device_ns_per_op"));
  CHECK(result.measurement->idle_ns == 4096 + 93 * 64 + 8192);
}

/// A kernel's clocks: 2 ticks per ns at the unit, 1 per ns device-wide, over the timed loads alone.
void write_clocks(const Dispatch& dispatch, double) {
  auto& out = fake::contents(dispatch.bindings.back());
  const std::uint64_t ns = std::uint64_t{dispatch.parameters.at("loops").word()} * 31 * 64;
  const std::uint64_t counts[4] = {1000, 1000 + 2 * ns, 5000, 5000 + ns};
  std::memcpy(out.data(), counts, sizeof counts);
}

TEST_CASE("in-kernel clocks are read from where the kernel leaves them") {
  fake::Script script;
  script.info.unit_clock = KernelClock{"test", false, {}};
  script.info.device_clock = KernelClock{"test", true, 1.0};
  script.after_run = [](const Dispatch& dispatch, double ns, std::size_t) {
    if (dispatch.parameters.size() == 8) write_clocks(dispatch, ns);
  };
  const auto result = measured(script).result;
  REQUIRE(result.outcome.status == Status::ok);
  const auto& m = *result.measurement;
  CHECK(m.time_source == "in-kernel clock");
  CHECK(m.statistics.at("ns_per_op").median == 64);
  CHECK(m.statistics.at("cycles_per_op").median == 128);
  REQUIRE(m.clock_mhz);
  CHECK(*m.clock_mhz == Sourced<double>{2000, Provenance::measured_in_kernel});
  for (const auto& sample : m.samples) {
    CHECK(sample.clock.ticks == 128 * sample.ops);
    CHECK(sample.clock.realtime_ns == 64.0 * static_cast<double>(sample.ops));
  }
  for (const auto& sample : m.control_samples) CHECK(sample.clock.ticks == 128 * sample.ops);
}

/// Kernels that leave stamps of a counter with `rate` ticks in a nanosecond, as it is at each run.
fake::Script ticking(const double& rate) {
  fake::Script script;
  script.info.unit_clock = KernelClock{"test", false, {}};
  script.info.device_clock = KernelClock{"test", true, 1.0};
  script.after_run = [&rate](const Dispatch& dispatch, double, std::size_t) {
    if (dispatch.parameters.size() != 8) return;
    const std::uint64_t ns = std::uint64_t{dispatch.parameters.at("loops").word()} * 31 * 64;
    const std::uint64_t counts[4] = {1000, 1000 + static_cast<std::uint64_t>(rate * static_cast<double>(ns)), 5000, 5000 + ns};
    std::memcpy(fake::contents(dispatch.bindings.back()).data(), counts, sizeof counts);
  };
  return script;
}

TEST_CASE("a counter that counted cycles before still does where it happens to tick once a nanosecond") {
  double rate = 2;
  const fake::Script script = ticking(rate);
  Measuring measuring{script};
  REQUIRE(measuring(point("global", "pointer")).result.measurement);
  rate = 1;
  const auto later = measuring(point("global", "pointer")).result.measurement.value();
  CHECK(later.statistics.contains("cycles_per_op"));
  CHECK_FALSE(later.counter_mhz);
  const auto alone = measured(script).result.measurement.value();
  CHECK_FALSE(alone.statistics.contains("cycles_per_op"));
  CHECK(alone.counter_mhz == 1000);
}

TEST_CASE("a sample with a clock a fifth below the fastest is repeated and reported") {
  const auto with_rate = [](std::size_t slow_run, std::size_t slow_runs, double rate) {
    fake::Script script;
    script.info.unit_clock = KernelClock{"test", false, {}};
    script.info.device_clock = KernelClock{"test", true, 1.0};
    script.after_run = [=](const Dispatch& dispatch, double ns, std::size_t run) {
      if (dispatch.parameters.size() != 8) return;
      write_clocks(dispatch, ns);
      if (run < slow_run || run >= slow_run + slow_runs) return;
      auto& out = fake::contents(dispatch.bindings.back());
      std::uint64_t end = 0;
      std::memcpy(&end, out.data() + 8, 8);
      end = 1000 + static_cast<std::uint64_t>(static_cast<double>(end - 1000) * rate);
      std::memcpy(out.data() + 8, &end, 8);
    };
    return script;
  };
  Measuring awake{with_rate(0, 0, 1)};
  const auto good = awake(point("global", "pointer")).result.measurement.value();
  CHECK_FALSE(good.observed.contains("samples_asleep"));
  const auto asleep_at = [&](std::size_t run, std::size_t runs, double rate) {
    const auto result = measured(with_rate(run, runs, rate)).result;
    REQUIRE(result.measurement);
    const auto& observed = result.measurement->observed;
    const auto found = observed.find("samples_asleep");
    if (found != observed.end()) {
      CHECK(result.measurement->samples.size() == good.samples.size());
      for (const auto& sample : result.measurement->samples) CHECK(sample.clock.ticks == 128 * sample.ops);
    }
    return found == observed.end() ? std::string() : found->second;
  };
  std::vector<std::size_t> seen;
  for (std::size_t run = 1; run <= awake.device.runs; ++run) {
    CAPTURE(run);
    CHECK(asleep_at(run, 1, 0.81).empty());
    const std::string asleep = asleep_at(run, 1, 0.79);
    CHECK((asleep.empty() || asleep == "1"));
    if (!asleep.empty()) seen.push_back(run);
  }
  CHECK(seen.size() == good.samples.size() - 1);  // the first has no predecessor

  // A load that keeps the clock down: tried once, then accepted.
  for (const std::size_t run : seen) {
    const auto result = measured(with_rate(run, 1000, 0.6)).result;
    REQUIRE(result.measurement);
    const auto& samples = result.measurement->samples;
    CHECK(samples.size() == good.samples.size());
    CHECK(static_cast<double>(*samples.back().clock.ticks) ==
          doctest::Approx(0.6 * 128 * static_cast<double>(samples.back().ops)));
    CHECK(result.measurement->observed.at("samples_asleep") == "1");
  }
}

TEST_CASE("a device-wide clock of unknown unit is no time, and an absent clock is not read") {
  fake::Script script;
  script.info.device_clock = KernelClock{"test", true, {}};
  script.after_run = [](const Dispatch& dispatch, double ns, std::size_t) {
    if (dispatch.parameters.size() == 8) write_clocks(dispatch, ns);
  };
  const auto result = measured(script).result;
  REQUIRE(result.outcome.status == Status::ok);
  CHECK(result.measurement->time_source == "device timer");
  for (const auto& sample : result.measurement->samples) {
    CHECK_FALSE(sample.clock.ticks);
    CHECK_FALSE(sample.clock.realtime_ns);
  }
}

TEST_CASE("a wrong result is invalid from the first run on, and yields no number") {
  fake::Script script;
  script.wrong_from_run = 2;  // after the chain is built
  const auto result = measured(script).result;
  CHECK(result.outcome.status == Status::invalid);
  CHECK(result.outcome.reason.find("lane 0 ended at offset ") == 0);
  CHECK(result.outcome.reason.find(" of the chain instead of ") != std::string::npos);
  CHECK_FALSE(result.measurement);
}

TEST_CASE("a wrong result among the samples keeps the earlier ones, without statistics") {
  // The last runs are two of the control kernel: the third sample is two before them.
  Measuring good{fake::Script{}};
  REQUIRE(good(point("global", "pointer")).result.outcome.status == Status::ok);
  fake::Script script;
  script.wrong_from_run = good.device.runs - 2;
  const auto result = measured(script).result;
  CHECK(result.outcome.status == Status::invalid);
  REQUIRE(result.measurement);
  CHECK(result.measurement->samples.size() == 2);
  CHECK(result.measurement->verified_samples == 2);
  CHECK(result.measurement->statistics.empty());

  script.wrong_from_run = good.device.runs;
  const auto control = measured(script).result;
  CHECK(control.outcome.status == Status::invalid);
  CHECK(control.outcome.reason.find("the control kernel's lane 0 ended at ") == 0);
}

TEST_CASE("a point has the machine code of its timed kernel, also an invalid one with samples") {
  std::vector<TimedKernel> kernels_read;
  Codegen listing;
  listing.form = "a listing";
  const CodegenSource source = [&](const TimedKernel& timed) {
    kernels_read.push_back(timed);
    return KernelCodegen{listing, {"a warning"}};
  };
  const auto measured_with = [&](const fake::Script& script, const CodegenSource& codegen, std::size_t& runs) {
    kernels_read.clear();
    fake::FakeDevice device(script);
    const std::atomic<bool> stop{false};
    const auto answer = Measurer(device, stop, nullptr, {}, codegen).measure(latency(), point("global", "pointer"), brief(), 42);
    runs = device.runs;
    return answer.result;
  };
  std::size_t runs = 0;
  const auto good = measured_with({}, source, runs);
  REQUIRE(good.measurement);
  CHECK(good.measurement->codegen == listing);
  CHECK(good.measurement->warnings == std::vector<std::string>{"a warning"});
  REQUIRE(kernels_read.size() == 1);
  CHECK(kernels_read.front().kernel != nullptr);
  CHECK(kernels_read.front().has_loop);
  CHECK(kernels_read.front().turn);

  std::size_t ignored = 0;
  fake::Script script;
  script.wrong_from_run = runs - 2;  // the third sample
  const auto invalid = measured_with(script, source, ignored);
  CHECK(invalid.outcome.status == Status::invalid);
  CHECK(invalid.measurement.value().codegen == listing);
  CHECK(kernels_read.size() == 1);

  script.wrong_from_run = 2;  // before any sample
  CHECK(measured_with(script, source, ignored).outcome.status == Status::invalid);
  CHECK(kernels_read.empty());
  const auto unknown = measured_with(
      {}, [](const TimedKernel&) { return KernelCodegen{}; }, ignored);
  CHECK_FALSE(unknown.measurement.value().codegen);
}

TEST_CASE("a device rests while machine code is read; it warms up again if the dependent-ALU chain became slower") {
  const CodegenSource slow = [](const TimedKernel&) {
    std::this_thread::sleep_for(std::chrono::milliseconds(25));
    return KernelCodegen{};
  };
  double clock = 1;
  fake::Script script;
  script.operation_ns = 4;
  script.timing = [&](Timing timing, std::size_t) { return Timing{timing.host_ns / clock, *timing.device_ns / clock}; };
  fake::FakeDevice device{script};
  const std::atomic<bool> stop{false};
  Measurer measurer(device, stop, nullptr, {}, slow);
  const auto runs = [&](double settle_ns) {
    Protocol protocol = brief();
    protocol.settle_ns = settle_ns;
    const std::size_t before = device.runs;
    REQUIRE(measurer.measure(latency(), point("global", "pointer"), protocol, 42).result.measurement);
    return device.runs - before;
  };
  runs(1e5);  // the first point
  const std::size_t at_full_speed = runs(1e5);
  CHECK(runs(0) + 3 == at_full_speed);  // the chain's dispatches
  clock = 0.98;
  // The load ends after a dispatch of 64 us, runs without a check and the chain's three.
  CHECK(runs(1e5) > runs(0) + 3);
  clock = 1;
  CHECK(runs(1e5) == at_full_speed);
}

TEST_CASE("the load before the samples ends where the counter is as fast as ever before, not where it only counts") {
  double rate = 2;
  const fake::Script script = ticking(rate);
  fake::FakeDevice device{script};
  const std::atomic<bool> stop{false};
  const CodegenSource resting = [](const TimedKernel&) {
    std::this_thread::sleep_for(std::chrono::milliseconds(25));
    return KernelCodegen{};
  };
  Measurer measurer(device, stop, nullptr, {}, resting);
  const auto runs = [&](double ticks_per_ns, double settle_ns) {
    rate = ticks_per_ns;
    Protocol protocol = brief();
    protocol.settle_ns = settle_ns;
    const std::size_t before = device.runs;
    REQUIRE(measurer.measure(latency(), point("global", "pointer"), protocol, 42).result.measurement);
    return device.runs - before;
  };
  runs(2, 0);  // the first point
  const std::size_t unloaded = runs(2, 0);
  CHECK(runs(2, 1e5) == unloaded);
  // Until the time is up: two of 64 us. Then a new calibration.
  CHECK(runs(1.9, 1e5) - unloaded == 5);
}

TEST_CASE("a kernel that reads clocks has as many idle dispatches as the protocol says, another has three") {
  double rate = 2;
  for (const bool clocked : {true, false}) {
    const auto runs = [&](int idle_runs) {
      fake::FakeDevice device{clocked ? ticking(rate) : fake::Script{}};
      const std::atomic<bool> stop{false};
      Protocol protocol = brief();
      protocol.clocked_idle_runs = idle_runs;
      REQUIRE(Measurer(device, stop).measure(latency(), point("global", "pointer"), protocol, 42).result.measurement);
      return device.runs;
    };
    CHECK(runs(3) - runs(1) == (clocked ? 4 : 0));  // each with one of the control
  }
}

TEST_CASE("a device that rested is not loaded with round trips, which leave it idle") {
  const CodegenSource resting = [](const TimedKernel&) {
    std::this_thread::sleep_for(std::chrono::milliseconds(25));
    return KernelCodegen{};
  };
  const auto runs = [&](const char* test, double settle_ns) {
    fake::Script script;
    script.info = fake::gpu(Api::vulkan);
    fake::FakeDevice device(script);
    const std::atomic<bool> stop{false};
    Measurer measurer(device, stop, nullptr, {}, resting);
    const Experiment& launch = *find_experiment("launch");
    REQUIRE(measurer.measure(launch, {"launch", {{"test", std::string("dependent")}}}, brief(), 1).result.measurement);
    Protocol protocol = brief();
    protocol.settle_ns = settle_ns;
    const std::size_t before = device.runs;
    REQUIRE(measurer.measure(launch, {"launch", {{"test", std::string(test)}}}, protocol, 1).result.measurement);
    return device.runs - before;
  };
  CHECK(runs("round-trip", 1e6) == runs("round-trip", 0));
  CHECK(runs("dependent", 1e6) > runs("dependent", 0));
}

TEST_CASE("a chain that was built wrongly is invalid") {
  fake::Script script;
  script.after_run = [](const Dispatch& dispatch, double, std::size_t run) {
    if (run != 1) return;
    auto& memory = fake::contents(dispatch.bindings.front());
    std::vector<std::byte> node(8);
    std::memcpy(node.data(), memory.data(), 8);
    // Two nodes swap their successors: two cycles.
    std::memcpy(memory.data(), memory.data() + 64, 8);
    std::memcpy(memory.data() + 64, node.data(), 8);
  };
  CHECK(measured(script).result.outcome.status == Status::invalid);
}

TEST_CASE("a kernel that does not build fails with the compiler's log") {
  for (const std::size_t kernel : {1, 2, 3}) {
    fake::Script script;
    script.build_failure = kernel;
    const auto answer = measured(script);
    CHECK_WORDS("measurer.no-build", answer.result.outcome);
    CHECK_FALSE(answer.result.measurement);
    CHECK_FALSE(answer.device_lost);
  }
}

TEST_CASE("a buffer that does not fit fails, and smaller points go on") {
  fake::Script script;
  script.memory_bytes = 1 << 20;
  Measuring measuring(script);
  const auto answer = measuring(point("global", "pointer", 1 << 21));
  CHECK_WORDS("measurer.out-of-memory", answer.result.outcome);
  CHECK_FALSE(answer.device_lost);
}

TEST_CASE("a device lost in any run is said to be lost") {
  Measuring good{fake::Script{}};
  REQUIRE(good(point("global", "pointer")).result.outcome.status == Status::ok);
  for (std::size_t run = 1; run <= good.device.runs; ++run) {
    CAPTURE(run);
    fake::Script script;
    script.lost_at_run = run;
    const auto answer = measured(script);
    CHECK_WORDS("measurer.device-lost", answer.result.outcome);
    CHECK(answer.device_lost);
    CHECK_FALSE(answer.interrupted);
    CHECK_FALSE(answer.result.measurement);
  }
}

TEST_CASE("Ctrl-C ends a point after the dispatch under way, whichever that is") {
  Measuring good{fake::Script{}};
  REQUIRE(good(point("global", "pointer")).result.outcome.status == Status::ok);
  for (std::size_t stop_at = 1; stop_at < good.device.runs; ++stop_at) {
    CAPTURE(stop_at);
    std::atomic<bool> stop{false};
    fake::Script script;
    script.after_run = [&](const Dispatch&, double, std::size_t run) { stop = run >= stop_at; };
    fake::FakeDevice device(script);
    const auto answer = Measurer(device, stop).measure(latency(), point("global", "pointer"), brief(), 42);
    CHECK(answer.interrupted);
    CHECK_FALSE(answer.device_lost);
    CHECK(device.runs == stop_at);
  }
}

TEST_CASE("an unsupported point runs nothing") {
  fake::Script script;
  script.info.buffer_addresses = false;
  Measuring measuring(script);
  const Outcome outcome = measuring(point("global", "pointer")).result.outcome;
  CHECK(outcome.status == Status::unsupported);
  CHECK_WORDS("device.no-buffer-addresses", outcome.reason);
  CHECK(measuring.device.runs == 0);
  CHECK(measuring.device.kernels_built == 0);
}

TEST_CASE("a chase runs with any limit of work-groups") {
  for (const std::uint32_t most : {16u, 64u, 128u, 288u}) {
    fake::Script script;
    script.info.max_group_size = most;
    CHECK(measured(script, point("global", "pointer")).result.outcome.status == Status::ok);
  }
}

TEST_CASE("a broken rule of the Device interface fails the point") {
  fake::Script script;
  script.info.max_parameter_bytes = 8;
  const auto answer = measured(script, point("global", "pointer"));
  CHECK_WORDS("measurer.broken-rule", answer.result.outcome);
}

TEST_CASE("a device timer that runs ahead of the host's is not used") {
  fake::Script script;
  script.timing = [](Timing timing, std::size_t) { return Timing{timing.host_ns, *timing.device_ns * 3}; };
  const auto result = measured(script).result;
  REQUIRE(result.outcome.status == Status::ok);
  CHECK(result.measurement->time_source == "host timer");
  CHECK_WORDS("measurer.device-timer-long", result.measurement->warnings.front());
}

/// Two of the three idle runs before the samples take 300 us more.
Timing disturb_two_idle_runs(Timing timing, std::size_t run) {
  return run <= 4 ? Timing{timing.host_ns + 3e5, *timing.device_ns + 3e5} : timing;
}

TEST_CASE("two disturbed idle runs of three do not change a point of three samples") {
  fake::Script script;
  script.timing = disturb_two_idle_runs;
  const auto result = measured(script).result;
  REQUIRE_MESSAGE(result.outcome.status == Status::ok, result.outcome.reason);
  CHECK(result.measurement->samples.size() == 3);
  CHECK(result.measurement->statistics.at("ns_per_op").median == 64);
  CHECK(result.measurement->warnings.empty());
}

TEST_CASE("a sample no longer than an idle dispatch is calibrated again") {
  fake::Script script;
  script.timing = [](Timing timing, std::size_t run) {  // all three idle runs are disturbed
    return run <= 6 ? Timing{timing.host_ns + 3e5, *timing.device_ns + 3e5} : timing;
  };
  script.info.max_loop_iterations = 64;  // 127 us: shorter than the disturbed idle runs
  for (const auto type : {DeviceType::gpu, DeviceType::cpu}) {
    script.info.type = type;
    const auto result = measured(script).result;
    REQUIRE_MESSAGE(result.outcome.status == Status::ok, result.outcome.reason);
    CHECK(result.measurement->samples.size() == 3);
    CHECK(result.measurement->statistics.at("ns_per_op").median == 64);
    CHECK(result.measurement->warnings.empty());
  }
}

/// The experiment as a sustained load of 0.1 ms, which is over before the first long sample.
class Sustained final : public Experiment {
 public:
  std::string name() const override { return latency().name(); }
  Presentation presentation() const override { return latency().presentation(); }
  std::vector<ParameterSpec> parameters() const override { return latency().parameters(); }
  std::vector<Point> plan(const DeviceInfo&, const Options&, std::span<const PointResult>) const override { return {}; }
  std::optional<std::string> unsupported(const DeviceInfo&, const Point&) const override { return std::nullopt; }
  Trial prepare(Device& device, const Point& point, std::uint64_t seed) const override {
    Trial trial = latency().prepare(device, point, seed);
    trial.sustained = SustainedLoad{.rest_ns = 0, .load_ns = 1e5};
    return trial;
  }
};

TEST_CASE("a sustained load takes longer samples if they were no longer than an idle dispatch") {
  fake::Script script;
  // All idle runs are disturbed, the calibration even more.
  script.timing = [](Timing timing, std::size_t run) {
    const double more = run <= 6 ? 3e5 : run <= 8 ? 4e5 : 0;
    return Timing{timing.host_ns + more, *timing.device_ns + more};
  };
  for (const auto type : {DeviceType::gpu, DeviceType::cpu}) {
    script.info.type = type;
    Measuring device(script);
    const auto result = device.measurer.measure(Sustained(), point("global", "pointer"), brief(), 42).result;
    REQUIRE_MESSAGE(result.outcome.status == Status::ok, result.outcome.reason);
    const Measurement& m = *result.measurement;
    for (const Sample& sample : m.samples) CHECK(*sample.timing.device_ns > 3e5);
    CHECK(m.samples.front().load_ops.value() > m.samples.front().ops);  // the shorter ones are load
    CHECK(m.warnings.empty());
  }
}

TEST_CASE("a point is invalid if its samples stay no longer than an idle dispatch") {
  fake::Script script;
  script.info.max_loop_iterations = 64;
  script.timing = [](Timing, std::size_t) { return Timing{20000, 10000}; };
  for (const auto type : {DeviceType::gpu, DeviceType::cpu}) {
    script.info.type = type;
    const auto result = measured(script).result;
    CHECK_WORDS("measurer.no-longer-than-idle", result.outcome);
    REQUIRE(result.measurement);
    CHECK(result.measurement->statistics.empty());
    CHECK_FALSE(result.measurement->samples.empty());
  }
}

TEST_CASE("negative times of a device timer are left out, with a warning") {
  fake::Script script;
  script.timing = [](Timing timing, std::size_t run) {
    return Timing{timing.host_ns, run % 4 == 0 ? -*timing.device_ns : *timing.device_ns};
  };
  const auto result = measured(script).result;
  REQUIRE_MESSAGE(result.outcome.status == Status::ok, result.outcome.reason);
  const auto& m = *result.measurement;
  CHECK(m.time_source == "host timer");
  std::size_t without = 0;
  for (const auto* samples : {&m.samples, &m.control_samples}) {
    for (const auto& sample : *samples) {
      if (!sample.timing.device_ns) ++without;
      if (sample.timing.device_ns) CHECK(*sample.timing.device_ns > 0);
    }
  }
  CHECK(without > 0);
  CHECK(std::any_of(m.warnings.begin(), m.warnings.end(), [](const std::string& warning) {
    return warning.starts_with("the device timer jumped back or stood still in ");
  }));
  CHECK(measured(fake::Script{}).result.measurement->warnings.empty());
}

TEST_CASE("times of years from a device timer are left out") {
  fake::Script script;
  script.timing = [](Timing timing, std::size_t run) {
    return Timing{timing.host_ns, run % 4 == 0 ? 1.8e19 : *timing.device_ns};
  };
  const auto result = measured(script).result;
  REQUIRE_MESSAGE(result.outcome.status == Status::ok, result.outcome.reason);
  for (const auto& sample : result.measurement->samples) CHECK(sample.timing.device_ns.value_or(1) < 1e9);
}

TEST_CASE("the idle time comes from the timer from which it is subtracted") {
  fake::Script script;
  script.timing = [](Timing timing, std::size_t) { return Timing{timing.host_ns, *timing.device_ns * 3}; };
  CHECK(measured(script).result.measurement->statistics.at("ns_per_op").median == 64);
}

TEST_CASE("the idle time is the median of the idle runs, on a CPU the minimum of three before and three after the samples") {
  for (const auto& [type, most_disturbed] : {std::pair{DeviceType::gpu, 4}, {DeviceType::cpu, 4}, {DeviceType::cpu, 6}}) {
    fake::Script script;
    script.info.type = type;
    int idle_runs = 0;  // of the timed kernel and its control in turns
    bool disturbed = false;
    script.after_run = [&, most_disturbed = most_disturbed](const Dispatch& dispatch, double, std::size_t) {
      const bool idle = dispatch.parameters.size() == 8 && dispatch.parameters.at("loops").word() == 0;
      disturbed = idle && ++idle_runs <= most_disturbed;
    };
    script.timing = [&](Timing timing, std::size_t) {
      const double more = disturbed ? 100000 : 0;
      return Timing{timing.host_ns + more, *timing.device_ns + more};
    };
    const auto result = measured(script).result;
    REQUIRE_MESSAGE(result.outcome.status == Status::ok, result.outcome.reason);
    CHECK(result.measurement->idle_ns == 4096 + 93 * 64);
  }
}

TEST_CASE("idle runs repeat if they disagree by more than the samples do, unless an in-kernel clock excludes them") {
  for (const bool clocked : {false, true}) {
    fake::Script script;
    if (clocked) script.info.unit_clock = KernelClock{"test", false, {}};
    int idle_runs = 0;  // of the timed kernel and its control in turns, then of the timed kernel
    bool disturbed = false;
    script.after_run = [&](const Dispatch& dispatch, double, std::size_t) {
      const bool idle = dispatch.parameters.size() == 8 && dispatch.parameters.at("loops").word() == 0;
      disturbed = idle && ++idle_runs <= 4;
    };
    script.timing = [&](Timing timing, std::size_t) {
      const double more = disturbed ? 100000 : 0;
      return Timing{timing.host_ns + more, *timing.device_ns + more};
    };
    Protocol protocol = brief();
    protocol.stopping.min_samples = protocol.stopping.max_samples = 7;
    Measuring measuring(script);
    const auto result = measuring.measurer.measure(latency(), point("global", "pointer"), protocol, 42).result;
    REQUIRE_MESSAGE(result.outcome.status == Status::ok, result.outcome.reason);
    // The samples are all alike: nine idle runs.
    CHECK(idle_runs == (clocked ? 2 * 3 : 2 * 3 + 6));
    CHECK(result.measurement->idle_ns == 4096 + 93 * 64 + (clocked ? 100000 : 0));
  }
}

TEST_CASE("with a device timer that stands still no dispatch grows past the driver's watchdog") {
  fake::Script script;
  script.access_ns = 65536;  // so that the watchdog acts soon
  script.watchdog_ns = 500e6;
  script.timing = [](Timing timing, std::size_t) { return Timing{timing.host_ns, 0.0}; };
  const auto answer = measured(script);
  CHECK(answer.result.outcome == Outcome{});
  CHECK_FALSE(answer.device_lost);
}

TEST_CASE("a device timer that always says one nanosecond fails the point before the driver's watchdog bites") {
  fake::Script script;
  script.access_ns = 65536;
  script.watchdog_ns = 500e6;
  script.timing = [](Timing timing, std::size_t) { return Timing{timing.host_ns, 1.0}; };
  const auto answer = measured(script);
  CHECK_WORDS("measurer.impossible-timer", answer.result.outcome);
  CHECK_FALSE(answer.device_lost);
}

TEST_CASE("where a loop limit hides that the device timer stands still, the load before the samples ends by the host's time") {
  fake::Script script;
  script.access_ns = 100000;
  script.info.max_loop_iterations = 40;
  script.lost_at_run = 400;  // instead of a load without end
  script.timing = [](Timing timing, std::size_t run) { return Timing{timing.host_ns, run % 2 == 0 ? 1.0 : 2.0}; };
  CHECK_WORDS("measurer.no-longer-than-idle", measured(script, point("global-index", "index")).result.outcome);
}

TEST_CASE("no dispatch passes 500 ms on a slow device, and its loop limit is kept") {
  fake::Script script;
  script.access_ns = 100000;
  script.watchdog_ns = 500e6;
  script.info.max_loop_iterations = 40;
  Measuring measuring(script);
  const auto result = measuring(point("global-index", "index")).result;
  REQUIRE_MESSAGE(result.outcome.status == Status::ok, result.outcome.reason);
  CHECK(result.measurement->statistics.at("ns_per_op").median == 100000);
  for (const auto& sample : result.measurement->samples) CHECK(sample.ops <= 38 * 31);
}

TEST_CASE("a software driver's loop limit holds for the control kernel, too") {
  fake::Script script;
  script.info.max_loop_iterations = 1000;
  script.access_ns = 0.25;  // so that both would like more
  std::uint32_t most = 0;
  script.after_run = [&](const Dispatch& dispatch, double, std::size_t) {
    if (dispatch.parameters.size() == 8)
      most = std::max(most, dispatch.parameters.at("loops").word() + dispatch.parameters.at("warm_loops").word());
  };
  const auto result = measured(script, point("global", "pointer", 32768)).result;
  REQUIRE(result.outcome.status == Status::ok);
  for (const auto& sample : result.measurement->control_samples) CHECK((sample.ops <= 1000 * 31 && sample.ops >= 990 * 31));
  for (const auto& sample : result.measurement->samples) CHECK((sample.ops <= 983 * 31 && sample.ops >= 970 * 31));
  CHECK(most <= 1000);
}

TEST_CASE("idle time, such as a long first lap, is not part of a sample's length") {
  const auto result = measured(fake::Script{}, point("global", "pointer", 32768)).result;
  REQUIRE(result.outcome.status == Status::ok);
  CHECK(result.measurement->idle_ns == 4096 + 527 * 64);
  for (const auto& sample : result.measurement->samples) CHECK(*sample.timing.device_ns - *result.measurement->idle_ns >= 65536);
}

TEST_CASE("a sample is as long as its clock asks for: 500 launches, or 500 steps of a clock within the kernel") {
  Protocol protocol = brief();
  protocol.longest_target_ns = 1e7;
  const std::atomic<bool> stop{false};
  const auto net_ns = [&](const fake::Script& script) {
    fake::FakeDevice device(script);
    const auto result = Measurer(device, stop).measure(latency(), point("global", "pointer"), protocol, 42).result;
    REQUIRE(result.outcome.status == Status::ok);
    return 64 * static_cast<double>(result.measurement->samples.front().ops);
  };
  fake::Script script;
  CHECK(net_ns(script) >= 4098 * 500);
  CHECK(net_ns(script) <= 4098 * 500 * 1.3);
  script.info.device_clock = KernelClock{"test", true, 1.0};
  script.after_run = [](const Dispatch& dispatch, double ns, std::size_t) {
    if (dispatch.parameters.size() == 8) write_clocks(dispatch, ns);
  };
  CHECK(net_ns(script) >= 1e6);
  CHECK(net_ns(script) <= 1.3e6);
}

/// Notes which of its three kernels run.
class Diary final : public Experiment {
 public:
  std::string name() const override { return "diary"; }
  Presentation presentation() const override { return {}; }
  std::vector<ParameterSpec> parameters() const override { return {}; }
  std::vector<Point> plan(const DeviceInfo&, const Options&, std::span<const PointResult>) const override { return {}; }
  std::optional<std::string> unsupported(const DeviceInfo&, const Point&) const override { return std::nullopt; }
  Trial prepare(Device& device, const Point&, std::uint64_t) const override {
    const auto buffer = device.create(BufferDesc{4});
    const auto dispatch = [&](char letter) {
      test_emulations()["none"] = [this, letter](const sim::Execution& run, sim::MemoryModel& memory) {
        entries += letter;
        for (std::uint32_t i = 0; i < run.parameter("loops"); ++i)
          memory.access({}, MemoryPath::global, 0, 0, 4, AccessKind::read);
      };
      KernelDesc desc{.name = "none",
                      .definitions = {},
                      .local_size = 1,
                      .bindings = {{"out"}},
                      .parameters = {{"loops", ""}},
                      .constants = {},
                      .subgroup_size = {}};
      return Dispatch{device.create(desc), {{buffer, nullptr}}, {{"loops", 0}}, 1};
    };
    const auto looped = [&](char letter) {
      LoopedDispatch result;
      result.dispatch = dispatch(letter);
      result.max_loops = 1 << 20;
      result.verify = [](Device&, std::uint64_t) { return Outcome{}; };
      return result;
    };
    Trial trial;
    trial.setup = {dispatch('s'), dispatch('s')};
    trial.before_sample = {dispatch('a'), dispatch('b')};
    trial.timed = looped('T');
    trial.control = looped('C');
    return trial;
  }
  mutable std::string entries;
};

TEST_CASE("setup runs once, before_sample before every timed run, neither before a control run") {
  const Diary diary;
  fake::FakeDevice device{fake::Script{}};
  const std::atomic<bool> stop{false};
  REQUIRE(Measurer(device, stop).measure(diary, {"diary", {}}, brief(), 1).result.outcome.status == Status::ok);
  std::string text = diary.entries;
  CHECK(text.substr(0, 2) == "ss");
  CHECK(text.find('s', 2) == std::string::npos);
  text.erase(0, 2);
  CHECK(text.substr(text.size() - 11) == "abTabTabTCC");
  for (std::size_t at; (at = text.find("abT")) != std::string::npos;) text.erase(at, 3);
  CHECK(text == std::string(text.size(), 'C'));
}

TEST_CASE("an experiment without an emulation of its kernel is unsupported on a simulated device, with that reason") {
  const Diary diary;
  const auto device = open_sim(sim::examples::small(), "test");
  const std::atomic<bool> stop{false};
  const Outcome outcome = Measurer(*device, stop).measure(diary, {"diary", {}}, brief(), 1).result.outcome;
  CHECK(outcome.status == Status::unsupported);
  CHECK(outcome.reason.find("the simulated device has no model of kernel 'none'") != std::string::npos);
}

TEST_CASE("a device settles once, however many points follow") {
  fake::Script script;
  script.info.type = DeviceType::cpu;  // a resting GPU on a busy host settles again
  Measuring measuring{script};
  REQUIRE(measuring(point("global", "pointer")).result.outcome.status == Status::ok);
  const std::size_t first = measuring.device.runs;
  REQUIRE(measuring(point("global", "pointer")).result.outcome.status == Status::ok);
  CHECK(measuring.device.runs - first < first);
}

TEST_CASE("without a counter a GPU is loaded until the time is up, a CPU until runs agree") {
  const auto runs = [](DeviceType type, double settle_ns) {
    fake::Script script;
    script.info.type = type;
    fake::FakeDevice device(script);
    const std::atomic<bool> stop{false};
    Measurer measurer(device, stop);
    Protocol protocol = brief();
    protocol.settle_ns = settle_ns;
    REQUIRE(measurer.measure(latency(), point("global", "pointer"), protocol, 42).result.measurement);
    return device.runs;
  };
  // Five agree; twelve take a millisecond.
  CHECK(runs(DeviceType::cpu, 16 * 65536) - runs(DeviceType::cpu, 0) == 5);
  CHECK(runs(DeviceType::gpu, 16 * 65536) - runs(DeviceType::gpu, 4 * 65536) == 9);
}

TEST_CASE("a noisy device takes as many samples as the rule allows") {
  fake::Script script;
  script.timing = [](Timing timing, std::size_t run) {
    const double factor = 1 + 0.25 * static_cast<double>(run % 3);
    return Timing{timing.host_ns * factor, *timing.device_ns * factor};
  };
  const auto result = measured(script).result;
  REQUIRE(result.outcome.status == Status::ok);
  CHECK(result.measurement->samples.size() == 5);
}

TEST_CASE("if all points are noisy, each takes more samples, except on CPUs") {
  for (const DeviceType type : {DeviceType::gpu, DeviceType::cpu}) {
    fake::Script script;
    script.info.type = type;
    script.timing = [](Timing timing, std::size_t run) {
      const double factor = 1 + 0.25 * static_cast<double>(run % 3);
      return Timing{timing.host_ns * factor, *timing.device_ns * factor};
    };
    Measuring measuring(script);
    for (int point_number = 1; point_number <= 7; ++point_number) {
      CAPTURE(point_number);
      const auto result = measuring(point("global", "pointer")).result;
      REQUIRE(result.outcome.status == Status::ok);
      CHECK(result.measurement->samples.size() == (type == DeviceType::gpu && point_number > 5 ? 20 : 5));
    }
  }
}

TEST_CASE("a chain that no first level holds is touched whole before it is timed") {
  fake::Script script;
  std::size_t touched = 0;
  script.after_run = [&](const Dispatch& dispatch, double ns, std::size_t) {
    if (dispatch.parameters.contains("fill_seed") && ns > 4096) touched += dispatch.parameters.at("count").word();
  };
  Measuring measuring(script);
  for (const char* path : {"global", "global-index", "texture"}) {
    touched = 0;
    REQUIRE(measuring(point(path, path == std::string("global") ? "pointer" : "index", 1 << 20)).result.outcome.status ==
            Status::ok);
    CHECK(touched == (1 << 20) / 64);
  }
}

}  // namespace
}  // namespace percycle::measurer_test
