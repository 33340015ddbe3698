// The walk of texture-latency ends where the host expects it on every device of both APIs, and so
// does its emulation on the host.
#include <doctest/doctest.h>

#include <cstdint>

#include "every_device.hpp"
#include "experiments/experiment.hpp"

namespace percycle::texture_latency_test {
namespace {

Point point(std::int64_t width, std::int64_t height) {
  return {"texture-latency", {{"footprint", width * height * 8}, {"width", width}, {"height", height}}};
}

void check_walk(Device& device, const Point& walked) {
  Trial trial = find_experiment(walked.experiment)->prepare(device, walked, 7);
  for (const auto& dispatch : trial.setup) device.run(dispatch);
  for (const std::uint32_t loops : {0u, 1u, 9u}) {
    trial.timed.dispatch.parameters.at("loops") = loops;
    device.run(trial.timed.dispatch);
    const Outcome outcome = trial.timed.verify(device, loops);
    CHECK_MESSAGE(outcome.status == Status::ok, outcome.reason);
  }
  device.run(trial.timed.dispatch);
  CHECK(trial.timed.verify(device, 8).status == Status::invalid);
}

TEST_CASE("parity: texture-latency's walk is that of the host on every device") {
  on_every_device([&](Device& device) {
    if (!device.info().max_image_side) return;
    // The last one is read once in advance.
    for (const Point& walked : {point(4, 8), point(16, 20), point(512, 520)}) {
      CAPTURE(to_string(walked));
      check_walk(device, walked);
      auto host = host_like(device.info());
      check_walk(host, walked);
    }
  });
}

}  // namespace
}  // namespace percycle::texture_latency_test
