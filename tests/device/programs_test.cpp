// On every device of both APIs the programs give the results that the host expects. Their check
// notices a wrong word, a missing step and a damaged input.
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "every_device.hpp"
#include "experiments/experiment.hpp"

namespace percycle::programs_test {
namespace {

std::vector<Point> program_points() {
  std::vector<Point> points;
  for (const std::int64_t group_size : {64, 256}) {
    points.push_back(
        {"lattice-boltzmann", {{"level", std::string("l2")}, {"cells", std::int64_t{8192}}, {"group_size", group_size}}});
    for (const std::int64_t channels : {4, 16}) {
      points.push_back(
          {"convolution",
           {{"channels", channels}, {"level", std::string("l2")}, {"pixels", std::int64_t{16384}}, {"group_size", group_size}}});
    }
  }
  for (const char* type : {"fp64", "fp32", "fp16", "int8"}) {
    for (const char* engine : {"lanes", "dot"}) {
      if (engine == std::string("dot") && type != std::string("int8")) continue;
      for (const auto& [tile, group_size] : std::vector<std::pair<std::int64_t, std::int64_t>>{{128, 256}, {64, 64}, {32, 64}}) {
        points.push_back({"gemm",
                          {{"type", std::string(type)},
                           {"engine", std::string(engine)},
                           {"size", std::int64_t{256}},
                           {"tile", tile},
                           {"group_size", group_size}}});
      }
    }
  }
  return points;
}

/// Runs the steps of a trial that is set up.
void run_steps(Device& device, Trial& trial, std::uint32_t loops) {
  if (trial.timed.launches) {
    device.launch(trial.timed.dispatch, {.count = loops});
    return;
  }
  trial.timed.dispatch.parameters.at("loops") = loops;
  trial.timed.dispatch.groups = loops * trial.timed.groups_per_loop.value();
  device.run(trial.timed.dispatch);
}

void flip_bit(Device& device, Buffer& buffer, std::uint64_t word) {
  std::uint32_t value = 0;
  device.read(buffer, 4 * word, std::as_writable_bytes(std::span(&value, 1)));
  value ^= 1u << 20u;
  device.write(buffer, 4 * word, std::as_bytes(std::span(&value, 1)));
}

TEST_CASE("programs: a step on every device is that of the host, and no wrong one passes") {
  on_every_device([&](Device& device) {
    for (const Point& point : program_points()) {
      CAPTURE(to_string(point));
      const Experiment& experiment = *find_experiment(point.experiment);
      if (experiment.unsupported(device.info(), point)) continue;
      Trial trial = experiment.prepare(device, point, 11);
      Buffer& output = *trial.timed.dispatch.bindings[1].buffer;
      for (const auto& dispatch : trial.setup) device.run(dispatch);
      CHECK(trial.timed.verify(device, 0).status == Status::ok);
      for (const std::uint32_t loops : {1u, 3u}) {
        run_steps(device, trial, loops);
        const Outcome outcome = trial.timed.verify(device, loops);
        CHECK_MESSAGE(outcome.status == Status::ok, outcome.reason);
        CHECK(trial.timed.verify(device, loops).status == Status::invalid);  // no step since then
      }
      run_steps(device, trial, 1);
      flip_bit(device, output, 4321);
      CHECK(trial.timed.verify(device, 1).status == Status::invalid);
      // The host compares the first result itself.
      for (const std::size_t damaged : {0, 1}) {
        Trial another = experiment.prepare(device, point, 11);
        Buffer& buffer = *another.timed.dispatch.bindings[damaged].buffer;
        for (const auto& dispatch : another.setup) device.run(dispatch);
        if (damaged == 0) flip_bit(device, buffer, 4321);
        run_steps(device, another, 1);
        if (damaged == 1) flip_bit(device, buffer, 4321);
        CHECK(another.timed.verify(device, 1).status == Status::invalid);
      }
    }
  });
}

}  // namespace
}  // namespace percycle::programs_test
