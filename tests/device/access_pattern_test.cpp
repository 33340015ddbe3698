// The kernel of access-pattern ends as the host expects on every device of both APIs: rows of all
// groups and of each group alone, every width, apart and misaligned.
#include <doctest/doctest.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/units.hpp"
#include "every_device.hpp"
#include "experiments/experiment.hpp"

namespace percycle::access_pattern_test {
namespace {

Point point(const char* level, std::int64_t width, const char* test, std::int64_t value) {
  return {"access-pattern",
          {{"test", std::string(test)},
           {"level", std::string(level)},
           {"width", width},
           {test, value},
           {"footprint", static_cast<std::int64_t>(std::string(level) == "l2" ? 512 * kKiB : 4 * kMiB)},
           {"groups_per_unit", std::int64_t{2}}}};
}

TEST_CASE("access pattern: the kernel ends as the host expects on every device, and one wrong word is caught") {
  const Experiment& experiment = *find_experiment("access-pattern");
  on_every_device([&](Device& device) {
    for (const char* level : {"l2", "dram"}) {
      for (const Point& each : {point(level, 4, "stride", 1), point(level, 4, "stride", 8), point(level, 8, "stride", 6),
                                point(level, 16, "stride", 4), point(level, 4, "misalignment", 4),
                                point(level, 8, "misalignment", 96), point(level, 16, "misalignment", 16)}) {
        CAPTURE(to_string(each));
        if (experiment.unsupported(device.info(), each)) continue;
        Trial trial = experiment.prepare(device, each, 7);
        for (const auto& dispatch : trial.setup) device.run(dispatch);
        for (const std::uint32_t laps : {0u, 1u, 3u}) {
          trial.timed.dispatch.parameters.at("laps") = laps;
          device.run(trial.timed.dispatch);
          const Outcome outcome = trial.timed.verify(device, laps);
          CHECK_MESSAGE(outcome.status == Status::ok, outcome.reason);
          CHECK(trial.timed.verify(device, laps + 1).status == Status::invalid);
        }
        // The first word that a lane reads.
        Buffer& data = *trial.timed.dispatch.bindings[0].buffer;
        const auto first = static_cast<std::uint64_t>(integer_or(each.parameters, "misalignment", 0));
        std::uint32_t value = 0;
        device.read(data, first, std::as_writable_bytes(std::span(&value, 1)));
        value ^= 0x100;
        device.write(data, first, std::as_bytes(std::span(&value, 1)));
        device.run(trial.timed.dispatch);
        CHECK(trial.timed.verify(device, 3).status == Status::invalid);
      }
    }
  });
}

}  // namespace
}  // namespace percycle::access_pattern_test
