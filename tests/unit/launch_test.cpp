#include <doctest/doctest.h>

#include <array>
#include <cstring>

#include "check_words.hpp"
#include "experiments/experiment.hpp"
#include "fake_device.hpp"
#include "measure/measurer.hpp"
#include "measure/trial_run.hpp"
#include "sim/sim.hpp"
#include "sim_examples.hpp"
#include "unit/brief_measurements.hpp"

namespace percycle::launch_test {
namespace {

const Experiment& launches() { return *find_experiment("launch"); }

Point point_of(const char* test, Parameters more = {}) {
  more["test"] = std::string(test);
  return {"launch", std::move(more)};
}

std::vector<Point> small_points() {
  using Number = std::int64_t;
  return {point_of("round-trip"),
          point_of("dependent"),
          point_of("independent"),
          point_of("barrier"),
          point_of("indirect"),
          point_of("groups", {{"group_size", Number{64}}, {"local_bytes", Number{0}}}),
          point_of("groups", {{"group_size", Number{64}}, {"local_bytes", Number{4096}}}),
          point_of("axpy", {{"width", Number{4}}, {"footprint", Number{16384}}}),
          point_of("axpy", {{"width", Number{16}}, {"footprint", Number{16384}}})};
}

TEST_CASE("launch: every launch and work-group counts, and one that is missing or wrong is found") {
  fake::Script script;
  script.info = fake::gpu(Api::vulkan);
  fake::FakeDevice device(script);
  const std::atomic<bool> stop = false;
  for (const Point& point : small_points()) {
    CAPTURE(to_string(point));
    Trial trial = launches().prepare(device, point, 7);
    TrialRun run(device, stop, trial);
    run.set_up();
    for (const std::uint64_t loops : {0u, 1u, 9u, 3u}) CHECK(run.timed(loops).ops == loops * trial.timed.ops_per_loop);
    CHECK(trial.timed.verify(device, 5).status == Status::invalid);
    // The marks of the last run do not count again.
    CHECK(trial.timed.verify(device, 3).status == Status::invalid);
  }
}

TEST_CASE("launch: submissions have one launch more than loops, so that a single one is the idle time") {
  fake::Script script;
  script.info = fake::gpu(Api::vulkan);
  script.launch_ns = 4096;
  fake::FakeDevice device(script);
  const std::atomic<bool> stop = false;
  Trial trial = launches().prepare(device, point_of("dependent"), 7);
  TrialRun run(device, stop, trial);
  CHECK(run.timed(0).timing.device_ns == 4096);
  CHECK(run.timed(3).timing.device_ns == 4 * 4096);
  CHECK(device.runs == 5);
}

TEST_CASE("launch: a round trip has the host's time alone") {
  fake::Script script;
  script.info = fake::gpu(Api::vulkan);
  fake::FakeDevice device(script);
  const std::atomic<bool> stop = false;
  Trial trial = launches().prepare(device, point_of("round-trip"), 7);
  TrialRun run(device, stop, trial);
  const Timing timing = run.timed(3).timing;
  CHECK(timing.host_ns == 3 * (script.launch_ns + script.host_overhead_ns));
  CHECK_FALSE(timing.device_ns);
  CHECK(run.timed(0).timing.host_ns == 0);
}

constexpr std::uint64_t kClockAheadNs = (std::uint64_t{5} << 40) + 1'000'000'000;

/// A device whose kernels begin 3 us after the host's call and end 2 us later, by a clock that is
/// `stamps_ahead_ns` ahead of the host's.
fake::Script stamping(fake::FakeDevice*& device, std::uint64_t stamps_ahead_ns) {
  fake::Script script;
  script.info = fake::gpu(Api::vulkan);
  script.info.device_clock = KernelClock{"test", true, 1.0};
  script.clock_ahead_ns = kClockAheadNs;
  script.after_run = [&device, stamps_ahead_ns](const Dispatch& dispatch, double, std::size_t) {
    const std::uint64_t call = static_cast<std::uint64_t>(device->host_ns) + stamps_ahead_ns;
    const std::array<std::uint64_t, 2> stamps{call + 3000, call + 5000};
    std::memcpy(fake::contents(dispatch.bindings.back()).data() + 16, stamps.data(), sizeof stamps);
  };
  return script;
}

TEST_CASE("launch: the clocks of host and device split a round trip at the kernel") {
  fake::FakeDevice* running = nullptr;
  fake::FakeDevice device(stamping(running, kClockAheadNs));
  running = &device;
  const double trip_ns = fake::Script{}.launch_ns + fake::Script{}.host_overhead_ns;
  const std::atomic<bool> stop = false;
  for (const auto& each : {std::pair{"first-instruction", 3000.0}, {"last-instruction", trip_ns - 5000}}) {
    const double ns = each.second;  // clang 14's lambdas capture no structured bindings
    CAPTURE(each.first);
    Trial trial = launches().prepare(device, point_of(each.first), 7);
    TrialRun run(device, stop, trial);
    CHECK_FALSE(run.clock_error_ns());
    CHECK(run.timed(3).timing.host_ns == 3 * ns);
    CHECK(run.trips_ns() == 3 * trip_ns);
    CHECK(run.timed(0).timing.host_ns == 0);
    CHECK(run.clock_error_ns() == 20);
  }
}

TEST_CASE("launch: a part of round trips has the time of these trips, so no part is longer") {
  fake::FakeDevice* running = nullptr;
  fake::FakeDevice device(stamping(running, kClockAheadNs));
  running = &device;
  const double trip_ns = fake::Script{}.launch_ns + fake::Script{}.host_overhead_ns;
  const std::atomic<bool> stop = false;
  Measurer measurer(device, stop);
  const PointResult part = measurer.measure(launches(), point_of("last-instruction"), examples::brief_protocol(), 7).result;
  REQUIRE_MESSAGE(part.outcome.status == Status::ok, part.outcome.reason);
  const Measurement& measurement = *part.measurement;
  CHECK(measurement.statistics.at("ns_per_op").median == doctest::Approx(trip_ns - 5000));
  CHECK(measurement.statistics.at("trip_ns_per_op").median == doctest::Approx(trip_ns));
  REQUIRE(measurement.series.at("trip_ns").size() == measurement.samples.size());
  for (std::size_t i = 0; i < measurement.samples.size(); ++i)
    CHECK(measurement.series.at("trip_ns")[i] == std::vector{static_cast<double>(measurement.samples[i].ops) * trip_ns});
  const PointResult whole = measurer.measure(launches(), point_of("round-trip"), examples::brief_protocol(), 7).result;
  CHECK_FALSE(whole.measurement->statistics.contains("trip_ns_per_op"));
  CHECK_FALSE(whole.measurement->series.contains("trip_ns"));
}

TEST_CASE("launch: clocks that are not related split no round trip") {
  const std::atomic<bool> stop = false;
  fake::FakeDevice* running = nullptr;
  fake::Script unrelated = stamping(running, 0);
  fake::Script silent = stamping(running, kClockAheadNs);
  silent.clock_ahead_ns.reset();
  for (const auto& [script, reason] : {std::pair{unrelated, "by the driver's clocks the kernel ran from"},
                                       {silent, "the driver does not relate the device's clock to the host's"}}) {
    fake::FakeDevice device(script);
    running = &device;
    Trial trial = launches().prepare(device, point_of("first-instruction"), 7);
    TrialRun run(device, stop, trial);
    try {
      run.timed(1);
      FAIL_CHECK("it was split");
    } catch (const BadOutcome& bad) {
      CHECK(bad.outcome.status == Status::unsupported);
      CHECK_MESSAGE(bad.outcome.reason.starts_with(reason), bad.outcome.reason);
    }
  }
}

TEST_CASE("launch: a model's costs of a launch are found") {
  sim::Model model = sim::examples::small();
  model.timer.launch_ns = 3000;
  model.timer.host_overhead_ns = 7000;
  const auto device = open_sim(model, "test");
  const std::atomic<bool> stop = false;
  Measurer measurer(*device, stop);
  for (const auto& [test, ns] : {std::pair{"dependent", 3000.0}, {"round-trip", 10000.0}}) {
    const PointResult result = measurer.measure(launches(), point_of(test), examples::brief_protocol(), 7).result;
    REQUIRE_MESSAGE(result.outcome.status == Status::ok, result.outcome.reason);
    CHECK(result.measurement->statistics.at("ns_per_op").median == doctest::Approx(ns).epsilon(1e-9));
  }
}

TEST_CASE("launch: a device's limits decide the points") {
  DeviceInfo device = fake::gpu();
  CHECK_WORDS("launch.no-indirect", launches().unsupported(device, point_of("indirect")));
  CHECK_FALSE(launches().unsupported(device, point_of("barrier")));
  CHECK(launches().prepare(*open_sim(sim::examples::small(), "test"), point_of("barrier"), 7).timed.launches->barriers);
  device.api = Api::vulkan;
  CHECK_WORDS("launch.no-barriers", launches().unsupported(device, point_of("barrier")));
  CHECK_FALSE(launches().unsupported(device, point_of("indirect")));
  for (const char* part : {"first-instruction", "last-instruction"}) {
    device.device_clock.reset();
    CHECK_WORDS("launch.no-device-clock", launches().unsupported(device, point_of(part)));
    device.device_clock = KernelClock{"test", true, std::nullopt};
    CHECK(launches().unsupported(device, point_of(part)));
    device.device_clock->tick_ns = 1;
    CHECK_FALSE(launches().unsupported(device, point_of(part)));
  }
  device.max_group_size = 128;
  const Experiment* all = &launches();
  const auto options = make_options({&all, 1}, {}, Preset::standard, 1);
  for (const Point& point : launches().plan(device, options.front(), {})) {
    if (word(point.parameters, "test") == "axpy" || word(point.parameters, "test") == "barrier") continue;
    CHECK_FALSE(launches().unsupported(device, point));
  }
  CHECK(launches().unsupported(device, point_of("axpy", {{"width", std::int64_t{16}}, {"footprint", std::int64_t{16384}}})));
  device.model = "t4";
  CHECK_FALSE(launches().unsupported(device, point_of("dependent")));
  CHECK(launches().unsupported(device, point_of("independent")));
}

}  // namespace
}  // namespace percycle::launch_test
