// The kernels of experiments that need a unit's number or its machine code end as the host expects
// on devices that offer neither.
#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "device/device.hpp"
#include "every_device.hpp"
#include "experiments/experiment.hpp"
#include "vocabulary/instruction_cache.hpp"
#include "vocabulary/l2_map.hpp"
#include "vocabulary/residency.hpp"

namespace percycle::units_test {
namespace {

std::vector<Point> small_points() {
  using Number = std::int64_t;
  return {{experiment::kResidency, {{parameter::kResource, "invocations"}, {parameter::kGroupSize, Number{64}}}},
          {experiment::kResidency,
           {{parameter::kResource, "local-memory"}, {parameter::kGroupSize, Number{32}}, {parameter::kLocalBytes, Number{4096}}}},
          {experiment::kResidency,
           {{parameter::kResource, "registers"}, {parameter::kGroupSize, Number{32}}, {parameter::kValues, Number{24}}}},
          {experiment::kInstructionCache,
           {{parameter::kScope, "schedulers"}, {parameter::kBlockLength, Number{16}}, {parameter::kRunBlocks, Number{1}}}},
          {experiment::kInstructionCache,
           {{parameter::kScope, "subgroup"}, {parameter::kBlockLength, Number{16}}, {parameter::kRunBlocks, Number{64}}}}};
}

TEST_CASE("units: kernels of residency and instruction-cache end as the host expects on every device") {
  on_every_device([&](Device& device) {
    for (const Point& point : small_points()) {
      if (integer_or(point.parameters, parameter::kGroupSize, 1) > device.info().max_group_size) continue;
      CAPTURE(to_string(point));
      Trial trial = find_experiment(point.experiment)->prepare(device, point, 7);
      for (const std::uint32_t loops : {0u, 1u, 9u}) {
        trial.timed.dispatch.parameters.at("loops") = loops;
        device.run(trial.timed.dispatch);
        const Outcome outcome = trial.timed.verify(device, loops);
        CHECK_MESSAGE(outcome.status == Status::ok, outcome.reason);
        CHECK(trial.timed.verify(device, loops + 1).status == Status::invalid);
      }
    }
  });
}

TEST_CASE("units: the kernel of l2-map ends as the host expects on every device") {
  on_every_device([&](Device& device) {
    for (const char* access : {l2_map_access::kLoad, l2_map_access::kAtomic}) {
      CAPTURE(access);
      const Point point{experiment::kL2Map, {{parameter::kAccess, access}, {parameter::kPart, 1}, {parameter::kLines, 5}}};
      Trial trial = find_experiment(point.experiment)->prepare(device, point, 7);
      for (const std::uint32_t loops : {0u, 1u, 9u}) {
        for (const std::uint32_t claimed : {loops, loops + 1}) {
          trial.timed.dispatch.parameters.at("loops") = loops;
          device.run(trial.timed.dispatch);
          const Outcome outcome = trial.timed.verify(device, claimed);
          CHECK_MESSAGE(outcome.status == (claimed == loops ? Status::ok : Status::invalid), outcome.reason);
        }
      }
      // A turn without a dispatch before it: no unit was seen.
      CHECK(trial.timed.verify(device, 0).status == Status::unsupported);
    }
  });
}

}  // namespace
}  // namespace percycle::units_test
