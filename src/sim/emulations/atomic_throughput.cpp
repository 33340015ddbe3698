#include <algorithm>
#include <cstring>
#include <vector>

#include "expected/atomic_operations.hpp"
#include "expected/atomic_throughput.hpp"
#include "sim/emulations/emulations.hpp"

namespace percycle::sim {
namespace {

constexpr std::size_t kAtomicSums = 0;
constexpr std::size_t kAtomicStamps = 1;
constexpr std::size_t kWords = 2;

/// Calls `use` with the place of each shared word and its lanes.
template <typename Use>
void for_each_share(const Execution& run, std::uint64_t operations, const Use& use) {
  const AtomicOperation operation = atomic_operation_defined(run.definition("OPERATION")).operation;
  const std::uint32_t all = run.parameter("lanes");
  const std::uint32_t size = run.kernel.local_size;
  if (run.parameter("group_spread") == 0) return use(0, AtomicShare{operation, operations, 0, all, all});
  for (std::uint32_t group = 0; group < run.groups; ++group) {
    std::uint64_t place = std::uint64_t{group} * run.parameter("group_spread");
    for (std::uint32_t lane = 0; lane < size; lane += run.parameter("sharers"), place += run.parameter("spread")) {
      const std::uint32_t together = std::min(run.parameter("sharers"), size - lane);
      use(place, AtomicShare{operation, operations, group * size + lane, together, all});
    }
  }
}

void atomic_throughput(const Execution& run, MemoryModel& memory) {
  if (run.is("FORM", "FORM_START")) {  // every lane sets one word
    put_values(*run.bindings[kWords],
               std::vector<std::uint32_t>(std::size_t{run.groups} * run.kernel.local_size, run.parameter("start")));
    return;
  }
  const bool local = run.is("MEMORY", "MEMORY_LOCAL");
  const std::uint64_t operations = std::uint64_t{run.parameter("loops")} * kAtomicsPerLoop;
  std::vector<AtomicStream> streams;
  for (std::uint32_t group = 0; group < run.groups; ++group) {
    streams.push_back({.group = group,
                       .path = local ? MemoryPath::local : MemoryPath::global,
                       .binding = kWords,
                       .offset = local ? 0 : std::uint64_t{group} * run.parameter("group_spread") * kWordBytes,
                       .lanes = run.kernel.local_size,
                       .sharers = run.parameter("sharers"),
                       .spread = run.parameter("spread") * kWordBytes,
                       .operations = operations});
  }
  put_values(*run.bindings[kAtomicStamps], memory.atomic_streams(streams));

  std::vector<std::uint32_t> words(run.bindings[kWords]->contents().size() / kWordBytes, run.parameter("start"));
  std::vector<std::uint32_t> sums(run.parameter("lanes"), 0);
  const bool returns = run.is("FORM", "FORM_RETURN");
  for_each_share(run, operations, [&](std::uint64_t place, const AtomicShare& share) {
    words[place] = end_in_turn(share);
    if (!returns) return;
    for (std::uint32_t i = 0; i < share.sharers; ++i) sums[share.first + i] = sum_in_turn(share, i);
  });
  put_values(*run.bindings[kAtomicSums], sums);
  put_values(*run.bindings[kWords], words);
}

const RegisterEmulation registered_atomic_throughput("atomic_throughput", atomic_throughput);

}  // namespace
}  // namespace percycle::sim
