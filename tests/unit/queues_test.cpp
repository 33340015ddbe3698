#include "expected/queues.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "check_words.hpp"
#include "core/figures.hpp"
#include "experiments/experiment.hpp"
#include "fake_device.hpp"
#include "sim_examples.hpp"
#include "unit/measured_model.hpp"

namespace percycle::queues_test {
namespace {

const Experiment& experiment() { return *find_experiment("queues"); }

Point point(const char* test, const char* queues) {
  return {"queues", {{"test", std::string(test)}, {"queues", std::string(queues)}}};
}

std::string kinds(Api api) {
  std::string all;
  for (const Point& each :
       experiment().plan(fake::gpu(api), make_options(std::vector{&experiment()}, {}, Preset::quick, 1).front(), {}))
    all += word(each.parameters, "test") + " " + word(each.parameters, "queues") + ", ";
  return all;
}

TEST_CASE("queues: a word is the sum of all launches' chains, step by step") {
  for (const std::uint32_t invocation : {0u, 5u, 1000u}) {
    std::uint32_t x = invocation + 1;
    for (int i = 0; i < 3 * 32; ++i) x = x * kQueuesMultiply + kQueuesAdd;
    CHECK(queues_sum(invocation, 3, 1) == x);
    CHECK(queues_sum(invocation, 3, 5) == 5 * x);
    CHECK(queues_sum(invocation, 0, 2) == 2 * (invocation + 1));
  }
}

TEST_CASE("queues: each API has its own kinds of queues") {
  CHECK(kinds(Api::opencl) == "pair one, pair unordered, pair two, wait one, wait unordered, wait two, ");
  CHECK(kinds(Api::vulkan) == "pair one, pair two, pair families, wait one, wait two, wait families, ");
  DeviceInfo device = fake::gpu();
  device.units->value = 1;
  CHECK_WORDS("device.one-unit-only", experiment().unsupported(device, point("pair", "two")));
  CHECK_FALSE(experiment().unsupported(device, point("wait", "two")));
}

TEST_CASE("queues: two kernels of half of a simulated device overlap through two queues only") {
  const sim::Model model = sim::examples::small();
  const auto figure = [&](const char* test, const char* queues, const char* name) {
    const PointResult result = examples::measured(point(test, queues), model);
    REQUIRE_MESSAGE(result.outcome.status == Status::ok, result.outcome.reason);
    return statistic_median(*result.measurement, name);
  };
  CHECK(*figure("pair", "two", figures::kOverlap) == doctest::Approx(2).epsilon(0.01));
  CHECK(*figure("pair", "two", figures::kFairness) == doctest::Approx(1).epsilon(0.01));
  CHECK(*figure("pair", "one", figures::kOverlap) == doctest::Approx(1).epsilon(0.02));
  CHECK_FALSE(figure("pair", "one", figures::kFairness));
  CHECK(*figure("wait", "one", figures::kNsPerOp) == doctest::Approx(model.timer.launch_ns).epsilon(0.01));
  CHECK(*figure("wait", "two", figures::kNetNsPerOp) == doctest::Approx(0).epsilon(0.01));
  const PointResult none = examples::measured(point("pair", "families"), model);
  CHECK(none.outcome.status == Status::unsupported);
  CHECK_WORDS("queues.no-choice", none.outcome.reason);
}

TEST_CASE("queues: a launch that did not run makes the point invalid") {
  const auto device = open_sim(sim::examples::small(), "test");
  Trial trial = experiment().prepare(*device, point("pair", "two"), 7);
  trial.timed.dispatch.parameters.insert_or_assign("loops", 3u);
  for (int i = 0; i < 3; ++i) device->run(trial.timed.dispatch);
  CHECK(trial.timed.verify(*device, 3).status == Status::ok);
  for (int i = 0; i < 2; ++i) device->run(trial.timed.dispatch);
  CHECK_WORDS("queues.missing-launch", trial.timed.verify(*device, 3).reason);
}

}  // namespace
}  // namespace percycle::queues_test
