// The kernels of experiments that need a unit's number or its machine code end as the host expects
// on devices that offer neither.
#include <doctest/doctest.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "check_words.hpp"
#include "device/device.hpp"
#include "every_device.hpp"
#include "experiments/experiment.hpp"
#include "vocabulary/instruction_cache.hpp"
#include "vocabulary/instruction_sharing.hpp"
#include "vocabulary/l2_map.hpp"
#include "vocabulary/latency.hpp"
#include "vocabulary/residency.hpp"

namespace percycle::units_test {
namespace {

Point beside_code(const char* victim, const char* place, std::int64_t aggressor) {
  using Number = std::int64_t;
  return {experiment::kInstructionSharing,
          {{parameter::kVictim, victim},
           {parameter::kBeside, place},
           {parameter::kAggressor, aggressor},
           {parameter::kLevel, Number{2}},
           {parameter::kInnerBytes, Number{256}},
           {parameter::kOuterBytes, Number{960}},
           {parameter::kStride, Number{64}},
           {parameter::kBlockLength, Number{16}},
           {parameter::kVictimBlocks, Number{std::string_view(victim) == code_victim::kCode ? 3 : 0}},
           {parameter::kAggressorBlocks, Number{5}}}};
}

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
           {{parameter::kScope, "subgroup"}, {parameter::kBlockLength, Number{16}}, {parameter::kRunBlocks, Number{64}}}},
          beside_code(code_victim::kCode, code_aggressor::kSubgroup, 0),
          beside_code(code_victim::kCode, code_aggressor::kSubgroup, 1),
          beside_code(code_victim::kConstants, code_aggressor::kSubgroup, 0)};
}

TEST_CASE("units: without unit numbers, an aggressor on another unit is unsupported") {
  on_every_device([&](Device& device) {
    if (device.info().unit_id || !device.info().units) return;
    const Point point = beside_code(code_victim::kCode, code_aggressor::kUnit, 1);
    Trial trial = find_experiment(point.experiment)->prepare(device, point, 7);
    trial.timed.dispatch.parameters.at("patience") = 1000;
    trial.timed.dispatch.parameters.at("loops") = 1;
    device.run(trial.timed.dispatch);
    const Outcome outcome = trial.timed.verify(device, 1);
    CHECK(outcome.status == Status::unsupported);
    CHECK_WORDS("units.none-on-unit-1", outcome.reason);
  });
}

TEST_CASE("units: kernels of residency and the instruction caches end as the host expects on every device") {
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

TEST_CASE("units: a chase through constants in several buffers ends as the host expects on every device") {
  on_every_device([&](Device& device) {
    const Experiment& latency = *find_experiment(experiment::kLatency);
    for (const Point& point : latency.conditional_points(device.info())) {
      if (word(point.parameters, parameter::kPath) != "constant") continue;
      CAPTURE(to_string(point));
      REQUIRE_FALSE(latency.unsupported(device.info(), point));
      Trial trial = latency.prepare(device, point, 7);
      CHECK(trial.timed.ops_per_loop == 32);
      for (LoopedDispatch* looped : {&trial.timed, &*trial.control}) {
        for (const std::uint32_t loops : {0u, 1u, 9u}) {
          looped->dispatch.parameters.at("loops") = loops;
          device.run(looped->dispatch);
          const Outcome outcome = looped->verify(device, loops);
          CHECK_MESSAGE(outcome.status == Status::ok, outcome.reason);
        }
        CHECK(looped->verify(device, 1).status == Status::invalid);
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
