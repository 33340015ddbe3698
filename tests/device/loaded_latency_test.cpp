// The kernel of loaded-latency on every device of both APIs, and its emulation.
#include <doctest/doctest.h>

#include <cstdint>
#include <string>

#include "every_device.hpp"
#include "experiments/chases/parts/latency.hpp"
#include "experiments/experiment.hpp"
#include "vocabulary/loaded_latency.hpp"

namespace percycle::loaded_latency_test {
namespace {

/// One mover where a CPU driver does not say how many threads it has; more must not run at once.
Point small_point(const DeviceInfo& device, const char* operation, std::int64_t load) {
  const bool cpu = device.type == DeviceType::cpu;
  const std::int64_t group_size = cpu ? device.subgroup_sizes.empty() ? 1 : device.subgroup_sizes.front() : 64;
  const std::int64_t movers = cpu && !device.units ? 1 : std::int64_t{device.units ? device.units->value : 32} - 1;
  return {experiment::kLoadedLatency,
          {{parameter::kLevel, loaded_level::kMemory},
           {parameter::kOperation, operation},
           {parameter::kLoad, load},
           {parameter::kChain, std::int64_t{6464}},
           {parameter::kStride, std::int64_t{64}},
           {parameter::kFootprint, movers * 6 * group_size * 64},
           {"group_size", group_size}}};
}

/// Whether the kernel ended as the host expects; false if its work-groups did not run at once.
bool ends_right(Device& device, const Point& point) {
  Trial trial = find_experiment(point.experiment)->prepare(device, point, 7);
  for (const auto& dispatch : trial.setup) device.run(dispatch);
  for (const std::uint32_t loops : {0u, 1u, 9u}) {
    trial.timed.dispatch.parameters.at("loops") = loops;
    device.run(trial.timed.dispatch);
    const Outcome outcome = trial.timed.verify(device, loops);
    if (outcome.status == Status::unsupported) return false;
    CHECK_MESSAGE(outcome.status == Status::ok, outcome.reason);
  }
  trial.timed.dispatch.parameters.at("loops") = 1;
  device.run(trial.timed.dispatch);
  const Outcome claimed = trial.timed.verify(device, 2);
  CHECK(claimed.status != Status::ok);
  return true;
}

TEST_CASE("parity: loaded-latency's walk, sums and stores are those of the host on every device") {
  on_every_device([&](Device& device) {
    const DeviceInfo& info = device.info();
    if (chase_unsupported(info, "global", "pointer", false, std::nullopt, 64, 6464) || (info.units && info.units->value < 2))
      return;
    CHECK(ends_right(device, small_point(info, "read", 0)));
    for (const char* operation : {"read", "write", "copy"}) {
      for (const std::int64_t load : {100, 50}) {
        CAPTURE(operation);
        CAPTURE(load);
        const Point point = small_point(info, operation, load);
        const bool at_once = ends_right(device, point);
        if (info.type == DeviceType::gpu) CHECK(at_once);
        auto host = host_like(info);
        CHECK(ends_right(host, point));
      }
    }
  });
}

}  // namespace
}  // namespace percycle::loaded_latency_test
