// The kernel of intensity ends as the host expects on every device of both APIs: at each level,
// with one row of a tile and with several.
#include <doctest/doctest.h>

#include <cstdint>

#include "core/units.hpp"
#include "every_device.hpp"
#include "experiments/experiment.hpp"

namespace percycle::intensity_test {
namespace {

TEST_CASE("intensity: the kernel of each level ends as the host expects on every device") {
  const Experiment& experiment = *find_experiment("intensity");
  on_every_device([&](Device& device) {
    for (const char* level : {"l1", "l2", "dram"}) {
      for (const std::int64_t fmas : {1, 64, 256, 1024}) {
        Point point{"intensity", {{"level", level}, {"fmas", fmas}}};
        if (std::string(level) == "dram")
          point.parameters["footprint"] = std::int64_t{6 * kMiB};  // longer than the data's period
        else
          point.parameters["groups_per_unit"] = std::int64_t{1};
        if (fmas == 1) point.parameters["rows"] = std::int64_t{8};
        CAPTURE(to_string(point));
        if (experiment.unsupported(device.info(), point)) continue;
        Trial trial = experiment.prepare(device, point, 7);
        for (const auto& dispatch : trial.setup) device.run(dispatch);
        const std::uint32_t groups = trial.timed.dispatch.groups;
        for (const std::uint32_t loops : {1u, 3u}) {
          trial.timed.dispatch.parameters.at("loops") = loops;
          if (trial.timed.groups_per_loop) trial.timed.dispatch.groups = groups * loops;
          device.run(trial.timed.dispatch);
          const Outcome outcome = trial.timed.verify(device, loops);
          CHECK_MESSAGE(outcome.status == Status::ok, outcome.reason);
          device.run(trial.timed.dispatch);
          CHECK(trial.timed.verify(device, loops + 1).status == Status::invalid);
        }
      }
    }
  });
}

}  // namespace
}  // namespace percycle::intensity_test
