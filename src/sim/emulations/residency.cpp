#include <cstring>
#include <vector>

#include "expected/residency.hpp"
#include "sim/emulations/emulations.hpp"
#include "sim/residency.hpp"

namespace percycle::sim {
namespace {

void residency(const Execution& run, MemoryModel& memory) {
  const std::uint32_t lanes = run.kernel.local_size;
  const std::uint64_t loops = run.parameter("loops");
  ValueRing ring{.starts = std::vector<std::uint32_t>(run.number("VALUES")), .factor = run.parameter("factor")};
  std::memcpy(ring.starts.data(), run.bindings[0]->contents().data(), ring.starts.size() * sizeof(std::uint32_t));
  const bool local = run.is_defined("LOCAL_WORDS");
  const auto stamps = memory.reside({.groups = run.groups,
                                     .lanes = lanes,
                                     .registers = registers_of(run.kernel),
                                     .local_bytes = local ? run.number("LOCAL_WORDS") * sizeof(std::uint32_t) : 0,
                                     .operations = loops * ring.starts.size()});
  put_values(*run.bindings[2], stamps);

  const ValueRing::Sum sum = ring.sum(loops);
  std::vector<std::uint32_t> of_group(lanes);
  for (std::uint32_t lane = 0; lane < lanes; ++lane)
    of_group[lane] = sum.of_invocation(lane) + (local ? ring.starts[0] + (lane + 1) % lanes : 0);
  auto* out = run.bindings[1]->bytes().data();
  const std::size_t bytes = of_group.size() * sizeof of_group[0];
  for (std::uint32_t group = 0; group < run.groups; ++group) std::memcpy(out + group * bytes, of_group.data(), bytes);
}

const RegisterEmulation registered_residency("residency", residency);

}  // namespace
}  // namespace percycle::sim
