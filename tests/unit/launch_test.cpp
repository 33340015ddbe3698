#include <doctest/doctest.h>

#include "device/sim/sim.hpp"
#include "experiments/experiment.hpp"
#include "fake_device.hpp"
#include "measure/measurer.hpp"
#include "measure/trial_run.hpp"
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
          point_of("indirect"),
          point_of("groups", {{"group_size", Number{64}}, {"local_bytes", Number{0}}}),
          point_of("groups", {{"group_size", Number{64}}, {"local_bytes", Number{4096}}}),
          point_of("axpy", {{"footprint", Number{16384}}})};
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
  CHECK(launches().unsupported(device, point_of("indirect")) == "OpenCL has no indirect launches");
  device.api = Api::vulkan;
  CHECK_FALSE(launches().unsupported(device, point_of("indirect")));
  device.max_group_size = 128;
  const Experiment* all = &launches();
  const auto options = make_options({&all, 1}, {}, Preset::standard, 1);
  for (const Point& point : launches().plan(device, options.front(), {})) {
    if (word(point.parameters, "test") == "axpy") continue;
    CHECK_FALSE(launches().unsupported(device, point));
  }
  CHECK(launches().unsupported(device, point_of("axpy", {{"footprint", std::int64_t{16384}}})));
  device.model = "t4";
  CHECK_FALSE(launches().unsupported(device, point_of("dependent")));
  CHECK(launches().unsupported(device, point_of("independent")));
}

}  // namespace
}  // namespace percycle::launch_test
