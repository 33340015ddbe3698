#include <cstring>
#include <vector>

#include "sim/emulations/emulations.hpp"

namespace percycle::sim {
namespace {

constexpr std::uint64_t kStepsPerTurn = 8;

// Words of `state`.
constexpr std::size_t kTicketsWord = 8;
constexpr std::size_t kTurnWord = 9;
constexpr std::size_t kSeenWord = 16;

void l2_map(const Execution& run, MemoryModel& memory) {
  const std::uint32_t units = run.parameter("units");
  const std::uint32_t lines = run.parameter("lines");
  const std::uint64_t loops = run.parameter("loops");
  const auto chain = values_of<std::uint32_t>(*run.bindings[0]);
  const auto starts = values_of<std::uint32_t>(*run.bindings[1]);
  auto state = values_of<std::uint32_t>(*run.bindings[2]);
  std::vector<std::uint32_t> out(std::size_t{2} * units * lines);
  for (std::uint32_t unit = 0; unit < units; ++unit) {
    const auto visit = [&](std::uint32_t line, std::uint64_t count) {
      memory.visit({.unit = unit,
                    .binding = 0,
                    .offset = std::uint64_t{starts[line]} * kWordBytes,
                    .atomic = run.is("ACCESS", "ACCESS_ATOMIC"),
                    .count = count});
    };
    for (std::uint32_t line = 0; line < lines; ++line) visit(line, kStepsPerTurn);
    const std::uint64_t device_begin = memory.device_clock();
    for (std::uint32_t line = 0; line < lines; ++line) {
      const std::uint64_t begin = memory.unit_clock();
      visit(line, loops * kStepsPerTurn);
      const auto ticks = static_cast<std::uint32_t>(memory.unit_clock() - begin);
      std::uint32_t at = starts[line];
      for (std::uint64_t step = 0; step < loops * kStepsPerTurn; ++step) at = chain[at];
      out[std::size_t{unit} * lines + line] = ticks;
      out[(std::size_t{units} + unit) * lines + line] = at;
      state[kUnitTicksWord] += ticks;
    }
    state[kDeviceTicksWord] += static_cast<std::uint32_t>(memory.device_clock() - device_begin);
    ++state[kSeenWord + unit];
  }
  state[kTicketsWord] = state[kTurnWord] = units;
  put_values(*run.bindings[2], state);
  put_values(*run.bindings[3], out);
}

const RegisterEmulation registered_l2_map("l2_map", l2_map);

}  // namespace
}  // namespace percycle::sim
