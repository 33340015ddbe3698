// The levels of loaded-latency within a unit, on every device of both APIs, and their emulation.
#include <doctest/doctest.h>

#include <cstdint>
#include <string>

#include "core/data_words.hpp"
#include "device/values.hpp"
#include "every_device.hpp"
#include "expected/loaded_unit.hpp"
#include "experiments/bandwidth/parts/unit_bandwidth.hpp"
#include "experiments/chases/parts/loaded_unit.hpp"

namespace percycle::loaded_unit_test {
namespace {

constexpr std::uint64_t kSeed = 7;

LoadedUnit small_unit(const DeviceInfo& info, bool in_local, std::uint32_t load) {
  return {.in_local = in_local,
          .load = load,
          .chain_bytes = 6464,
          .stride_bytes = 64,
          .footprint = 2 * loader_footprint(info),
          .group_size = loaded_unit_group(info)};
}

/// Whether the walk ended as the host expects; false if it missed the loaders.
bool walks_right(Device& device, const LoadedUnit& unit) {
  Trial trial = loaded_unit_trial(device, unit, kSeed);
  for (const auto& dispatch : trial.setup) device.run(dispatch);
  for (const std::uint32_t loops : {0u, 1u, 9u}) {
    trial.timed.dispatch.parameters.at("loops") = loops;
    device.run(trial.timed.dispatch);
    const Outcome outcome = trial.timed.verify(device, loops);
    // The sums were right, or it would be invalid.
    if (outcome.status == Status::unsupported) return false;
    CHECK_MESSAGE(outcome.status == Status::ok, outcome.reason);
  }
  trial.timed.dispatch.parameters.at("loops") = 1;
  device.run(trial.timed.dispatch);
  CHECK(trial.timed.verify(device, 2).status == Status::invalid);
  return true;
}

/// Without a lane that walks, each loader takes all its turns on any device.
void check_loaders(Device& device, const LoadedUnit& unit) {
  constexpr std::uint32_t kTurns = 5;
  Trial trial = loaded_unit_trial(device, unit, kSeed);
  for (const auto& dispatch : trial.setup) device.run(dispatch);
  auto& parameters = trial.timed.dispatch.parameters;
  parameters.at("lanes") = 0;
  parameters.at("most_turns") = kTurns;
  device.run(trial.timed.dispatch);
  const auto& bindings = trial.timed.dispatch.bindings;
  const auto sums = read_values<std::uint32_t>(device, *bindings[5].buffer, bindings[5].buffer->bytes() / 4);
  const DataWords words(kSeed);
  const MoverShape shape = loader_shape(row_lanes(device.info()), 2);
  const std::uint32_t pause = parameters.at("pause").words.front();
  for (std::uint32_t loader = 0; loader < sums.size() / 2; ++loader) {
    CHECK(sums[2 * loader + 1] == kTurns);
    CHECK(sums[2 * loader] == loader_sum(shape, loader, kTurns, pause, [&](std::uint64_t i) { return words.word(i); }));
  }
  CHECK(read_values<std::uint64_t>(device, *bindings[3].buffer, 8)[6] == 1);  // GAVE_UP
}

TEST_CASE("parity: within a unit, loaded-latency's walk and sums are those of the host on every device") {
  on_every_device([&](Device& device) {
    const DeviceInfo& info = device.info();
    for (const bool in_local : {false, true}) {
      if (!in_local && !info.buffer_addresses) continue;
      CAPTURE(in_local);
      CHECK(walks_right(device, small_unit(info, in_local, 0)));
      for (const std::uint32_t load : {100u, 50u}) {
        CAPTURE(load);
        const LoadedUnit unit = small_unit(info, in_local, load);
        check_loaders(device, unit);
        const bool at_once = walks_right(device, unit);
        if (info.type == DeviceType::gpu) CHECK(at_once);
        auto host = host_like(info);
        CHECK(walks_right(host, unit));
      }
    }
  });
}

}  // namespace
}  // namespace percycle::loaded_unit_test
