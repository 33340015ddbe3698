// Launches through one queue and through two, on every device of both APIs: all run, and those that
// wait see the ones before.
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "device/values.hpp"
#include "every_device.hpp"
#include "experiments/experiment.hpp"

namespace percycle::queues_test {
namespace {

/// Whether the device has these queues. Others must be refused with a reason.
template <typename Run>
bool has_queues(Device& device, LaunchQueues queues, const Run& run) {
  try {
    run();
    return true;
  } catch (const DeviceError& error) {
    CHECK_MESSAGE(error.kind == DeviceError::Kind::unsupported, error.what());
    CHECK(queues != LaunchQueues::one);
    CHECK((queues != LaunchQueues::two || device.info().api == Api::vulkan));
    return false;
  }
}

TEST_CASE("queued launches all run, and those that wait see the ones before") {
  constexpr std::uint32_t kFactor = 2654435761u;
  on_every_device([&](Device& device) {
    const std::vector<std::uint32_t> x(3 * 32 * 4, 7);
    const auto y = buffer_of(device, x);
    const Dispatch axpy{.kernel = device.create(KernelDesc{.name = "launch",
                                                           .definitions = {{"WIDTH", "16"}},
                                                           .local_size = 32,
                                                           .bindings = {{"x"}, {"y"}},
                                                           .parameters = {{"factor", ""}}}),
                        .bindings = {{.buffer = buffer_of(device, x), .image = {}}, {.buffer = y, .image = {}}},
                        .parameters = {{"factor", kFactor}},
                        .groups = 3};
    std::uint32_t expected = 7;
    for (const LaunchQueues queues : {LaunchQueues::one, LaunchQueues::unordered, LaunchQueues::two, LaunchQueues::families}) {
      CAPTURE(static_cast<int>(queues));
      for (const std::uint32_t count : {1u, 2u, 7u}) {
        if (!has_queues(device, queues, [&] {
              const QueuedTiming timing = device.launch_queued(axpy, {.queues = queues, .count = count, .waits = true});
              CHECK(timing.all.host_ns > 0);
              CHECK((timing.each_ns.empty() || count == 2));
            }))
          continue;
        expected += count * kFactor * 7;
        CHECK(read_values<std::uint32_t>(device, *y, x.size()) == std::vector<std::uint32_t>(x.size(), expected));
      }
    }
    CHECK_THROWS_AS(device.launch_queued(axpy, {.count = 0}), std::invalid_argument);
  });
}

TEST_CASE("parity: queues leaves the sums of all launches on every device, through all of its queues") {
  on_every_device([&](Device& device) {
    for (const char* test : {"pair", "wait"}) {
      for (const char* kind : {"one", "unordered", "two", "families"}) {
        const Point point{"queues", {{"test", std::string(test)}, {"queues", std::string(kind)}}};
        CAPTURE(to_string(point));
        Trial trial = find_experiment("queues")->prepare(device, point, 7);
        has_queues(device, trial.timed.queued->queues, [&] {
          if (point.parameters.at("test") == ParameterValue(std::string("pair"))) {
            trial.timed.dispatch.parameters.insert_or_assign("loops", 3u);
            device.run(trial.timed.dispatch);
            device.launch_queued(trial.timed.dispatch, *trial.timed.queued);
          } else {
            QueuedLaunches four = *trial.timed.queued;
            four.count = 4;
            device.launch_queued(trial.timed.dispatch, four);
          }
          const Outcome outcome = trial.timed.verify(device, 3);
          CHECK_MESSAGE(outcome.status == Status::ok, outcome.reason);
          CHECK(trial.timed.verify(device, 3).status == Status::invalid);
        });
      }
    }
  });
}

}  // namespace
}  // namespace percycle::queues_test
