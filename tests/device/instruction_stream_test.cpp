// Chains of every operation on every device of both APIs: their results equal the host's.
#include <doctest/doctest.h>

#include <cstdint>
#include <utility>

#include "device/device.hpp"
#include "every_device.hpp"
#include "experiments/arithmetic/parts/instruction_stream.hpp"

namespace percycle::instruction_stream_test {
namespace {

void check_runs(Device& device, const InstructionStream& stream) {
  if (instruction_stream_unsupported(device.info(), stream)) return;
  Trial trial = instruction_stream_trial(device, stream);
  for (const std::uint32_t loops : {0u, 1u, 5u}) {
    CAPTURE(loops);
    trial.timed.dispatch.parameters.insert_or_assign("loops", loops);
    device.run(trial.timed.dispatch);
    const Outcome outcome = trial.timed.verify(device, loops);
    CHECK_MESSAGE(outcome.status == Status::ok, outcome.reason);
    // The result of another number of turns is another one.
    CHECK(trial.timed.verify(device, loops + 1).status == Status::invalid);
  }
}

TEST_CASE("instruction stream: every operation, in all chains of the subgroups that run") {
  on_every_device([](Device& device) {
    const std::uint32_t lanes = stream_lanes(device.info(), std::nullopt);
    for (const StreamOperation& operation : stream_operations()) {
      CAPTURE(operation.chain.name);
      const std::uint32_t running = operation.uniform ? 2 : 1;
      check_runs(device, {.operation = &operation, .chains = 2, .subgroups = running, .group_size = 2 * lanes});
    }
  });
}

TEST_CASE("instruction stream: any number of chains, a second operation, a pair of subgroups") {
  on_every_device([](Device& device) {
    const std::uint32_t lanes = stream_lanes(device.info(), std::nullopt);
    const StreamOperation* fma = find_stream_operation("fp32-fma");
    for (const std::uint32_t chains : {1u, 4u, 8u}) {
      CAPTURE(chains);
      check_runs(device, {.operation = fma, .chains = chains, .subgroups = 2, .group_size = 2 * lanes});
      for (const char* partner : {"int32-add", "fp32-rsqrt-fast"}) {
        CAPTURE(partner);
        check_runs(device, {.operation = fma,
                            .partner = find_stream_operation(partner),
                            .chains = chains,
                            .subgroups = 2,
                            .group_size = 2 * lanes});
      }
    }
    check_runs(device, {.operation = fma, .chains = 8, .pair = std::pair(1u, 3u), .group_size = 4 * lanes});
  });
}

}  // namespace
}  // namespace percycle::instruction_stream_test
