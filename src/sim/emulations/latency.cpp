#include <cstring>
#include <map>
#include <optional>

#include "expected/multiply_add.hpp"
#include "sim/clock_pair.hpp"
#include "sim/emulations/emulations.hpp"

namespace percycle::sim {
namespace {

std::uint64_t steps_per_loop(const Execution& run) { return run.is_defined("CONSTANT_BUFFERS") ? 32 : kLoadsPerTurn; }

MemoryPath path_of(const Execution& run) {
  static const std::map<std::string, MemoryPath> paths{
      {"PATH_GLOBAL", MemoryPath::global},   {"PATH_GLOBAL_INDEX", MemoryPath::global}, {"PATH_SCALAR", MemoryPath::scalar},
      {"PATH_TEXTURE", MemoryPath::texture}, {"PATH_CONSTANT", MemoryPath::constant},   {"PATH_LOCAL", MemoryPath::local}};
  return paths.at(run.definition("PATH"));
}

std::uint64_t read_word64(std::span<const std::byte> bytes, std::size_t index) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data() + index * sizeof value, sizeof value);
  return value;
}

void control(const Execution& run, MemoryModel& memory) {
  const auto state = run.bindings[run.bindings.size() - 2]->bytes();
  const auto out = run.bindings.back()->bytes();
  const std::uint64_t steps = run.parameter("loops") * (run.is("FORM", "FORM_INDEX") ? steps_per_loop(run) : 1);
  ClockPair clocks(memory);
  memory.compute({}, steps);
  clocks.end();
  for (std::uint32_t lane = 0; lane < run.parameter("lanes"); ++lane) {
    const std::uint64_t end = multiply_add_chain(static_cast<std::uint32_t>(read_word64(state, lane)), run.parameter("multiply"),
                                                 run.parameter("add"), steps);
    std::memcpy(state.data() + lane * sizeof end, &end, sizeof end);
    std::memcpy(out.data() + kClockBytes + lane * sizeof end, &end, sizeof end);
  }
  clocks.write(out);
}

/// All lanes hold the same links, so their loads are one access.
void chase(const Execution& run, MemoryModel& memory) {
  const MemoryPath path = path_of(run);
  const bool constant = path == MemoryPath::constant;
  const bool pointer = run.is("FORM", "FORM_POINTER");
  const auto state = run.bindings[constant ? 0 : 1]->bytes();
  const auto out = run.bindings[constant ? 1 : 2]->bytes();
  const std::uint64_t base = pointer ? run.addresses[0] : 0;
  std::uint64_t at = read_word64(state, 0);
  const std::uint32_t unit = run.parameter("link_unit");
  std::optional<ChainImage> image;
  if (constant) {
    image = run.constants.chain_through(static_cast<std::uint32_t>(at), unit).image;
  } else if (const ChainImage* held = run.bindings[0]->chain()) {
    image = *held;
  }
  const auto memory_bytes = image ? std::span<const std::byte>{} : run.bindings[0]->contents();
  const auto offset = [&](std::uint64_t link) { return pointer ? link - base : link * unit; };
  const auto follow = [&](std::uint64_t steps) {
    if (image) {
      const Walk walk{{}, path, 0, *image, 0, image->position_of(at, base), steps};
      memory.walk({&walk, 1});
      at = image->link_to(walk.position + steps, base);
      return;
    }
    for (std::uint64_t step = 0; step < steps; ++step) {
      memory.access({}, path, 0, offset(at), pointer ? 8 : 4, AccessKind::read);
      std::uint64_t next = 0;
      std::memcpy(&next, memory_bytes.data() + offset(at), pointer ? 8 : 4);
      at = next;
    }
  };
  // Through several buffers, each turn begins in the first: its links need no other base.
  follow(steps_per_loop(run) * run.parameter("warm_loops"));
  ClockPair clocks(memory);
  follow(steps_per_loop(run) * run.parameter("loops"));
  clocks.end();
  const std::uint64_t end = offset(at);
  for (std::uint32_t lane = 0; lane < run.parameter("lanes"); ++lane) {
    std::memcpy(state.data() + lane * sizeof at, &at, sizeof at);
    std::memcpy(out.data() + kClockBytes + lane * sizeof end, &end, sizeof end);
  }
  clocks.write(out);
}

void latency(const Execution& run, MemoryModel& memory) {
  if (run.is_defined("CONTROL")) return control(run, memory);
  chase(run, memory);
}

const RegisterEmulation registered_latency("latency", latency);

}  // namespace
}  // namespace percycle::sim
