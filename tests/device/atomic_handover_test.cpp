// Hand-overs on every device of both APIs: each shape ends soon, with a figure or with a reason.
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <string>

#include "every_device.hpp"
#include "experiments/experiment.hpp"
#include "measure/measurer.hpp"

namespace percycle::atomic_handover_test {
namespace {

TEST_CASE("hand-over: every shape ends within seconds, with a figure or without forward progress") {
  Protocol protocol;
  protocol.settle_ns = 0;
  const std::atomic<bool> stop{false};
  on_every_device([&](Device& device) {
    Measurer measurer(device, stop);
    std::size_t measured_points = 0;
    for (const char* name : {"atomic-handover", "atomic-heatmap"}) {
      const Experiment* const experiment[] = {find_experiment(name)};
      const Options options = make_options(experiment, {}, Preset::quick, 1).front();
      for (const auto& point : experiment[0]->plan(device.info(), options, {})) {
        CAPTURE(to_string(point));
        const auto begin = std::chrono::steady_clock::now();
        const PointResult result = measurer.measure(*experiment[0], point, protocol, 3).result;
        // Loose, for a busy machine.
        CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(120));
        CAPTURE(result.outcome.reason);
        if (result.outcome.status == Status::ok) {
          ++measured_points;
          CHECK(result.measurement->statistics.at("ns_per_op").median > 0);
          CHECK(result.measurement->statistics.at("tries_per_op").min >= 1);
          CHECK(result.measurement->verified_samples == result.measurement->samples.size());
        } else {
          CHECK(result.outcome.status == Status::unsupported);
          const auto says = [&](const char* words) { return result.outcome.reason.find(words) != std::string::npos; };
          const bool said = says(" made no forward progress: ") || says(" take turns on a core") ||
                            result.outcome.reason == "a kernel cannot read which unit runs it";
          CHECK(said);
        }
      }
    }
    // Vulkan drivers run the lanes of a subgroup in step or let each make progress; PoCL runs one
    // to its end before the next.
    if (device.info().api == Api::vulkan) CHECK(measured_points >= 2);
  });
}

}  // namespace
}  // namespace percycle::atomic_handover_test
