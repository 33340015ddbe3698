#include "experiments/atomics/parts/atomic_throughput.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "core/units.hpp"
#include "device/identity.hpp"
#include "expected/atomic_throughput.hpp"
#include "experiments/chases/parts/latency.hpp"
#include "experiments/common/execution_mode.hpp"

namespace percycle {
namespace {

// Parameters of kernel pair `atomic_throughput`.
constexpr std::uint32_t kOpsPerLoop = 16;
const std::vector<KernelParameter> kIndependentAtomicsParameters{
    {"loops", "turns of 16 operations"},
    {"sharers", "consecutive lanes of a group that share a word"},
    {"spread", "distance of neighbouring words of a group, in words"},
    {"group_spread", "distance of the first words of neighbouring groups"},
    {"lanes", "lanes of all groups"},
    {"zero", "0"},
    {"start", "first value of every word"}};

constexpr std::uint32_t kUsualLineBytes = 128;
constexpr std::uint32_t kWordBytes = 4;
// Two loop turns of all lanes stay below kMostOperations.
constexpr std::uint64_t kMostLanes = std::uint64_t{1} << 26;

/// The layout of the words, in words.
struct Places {
  std::uint32_t sharers = 1;  ///< lanes of a group that share a word
  std::uint32_t spread = 1;   ///< distance of neighbouring words of a group
  std::uint32_t group_spread = 1;
  std::uint64_t words = 0;  ///< size of the buffer: whole groups, so that each lane sets one
};

Places places_of(const DeviceInfo& device, const IndependentAtomics& atomics) {
  const std::uint32_t line = device.cache_line_bytes.value_or(kUsualLineBytes) / kWordBytes;
  const std::uint32_t size = atomics.group_size;
  Places places{.sharers = atomics.one_word ? size : atomics.sharers, .spread = atomics.apart ? line : 1};
  const std::uint32_t of_group = (size + places.sharers - 1) / places.sharers * places.spread;
  // In local memory each lane reports one word, whether it uses it or not.
  places.group_spread = atomics.one_word ? 0 : atomics.local ? size : (of_group + line - 1) / line * line;
  const std::uint64_t words = std::max<std::uint64_t>(std::uint64_t{atomics.groups} * places.group_spread, 1);
  places.words = (words + size - 1) / size * size;
  return places;
}

std::uint32_t all_lanes(const IndependentAtomics& atomics) { return atomics.groups * atomics.group_size; }

/// Calls `use` with the place of each shared word and its sharers, in ascending order of places.
template <typename Use>
void for_each_share(const Places& places, const IndependentAtomics& atomics, std::uint64_t operations, const Use& use) {
  const auto share = [&](std::uint32_t first, std::uint32_t sharers) {
    return AtomicShare{atomics.operation.operation, operations, first, sharers, all_lanes(atomics)};
  };
  if (atomics.one_word) return use(0, share(0, all_lanes(atomics)));
  for (std::uint32_t group = 0; group < atomics.groups; ++group) {
    std::uint64_t place = std::uint64_t{group} * places.group_spread;
    for (std::uint32_t lane = 0; lane < atomics.group_size; lane += places.sharers, place += places.spread) {
      use(place, share(group * atomics.group_size + lane, std::min(places.sharers, atomics.group_size - lane)));
    }
  }
}

/// The first error in the words or the returned values; empty if all are right.
std::optional<std::string> wrong(const Places& places, const IndependentAtomics& atomics, std::uint64_t operations,
                                 std::span<const std::uint32_t> words, std::span<const std::uint32_t> sums) {
  const std::uint32_t start = atomic_start(atomics.operation.operation);
  std::optional<std::string> found;
  std::uint64_t next = 0;
  const auto untouched = [&](std::uint64_t end) {
    for (; next < end && !found; ++next) {
      if (words[next] != start) found = fmt::format("word {} changed although no lane uses it", next);
    }
  };
  for_each_share(places, atomics, operations, [&](std::uint64_t place, const AtomicShare& share) {
    untouched(place);
    if (found) return;
    std::optional<std::uint32_t> sum;
    if (atomics.returns) {
      sum = 0;
      for (const std::uint32_t each : sums.subspan(share.first, share.sharers)) *sum += each;
    }
    found = wrong_share(share, words[place], sum);
    next = place + 1;
  });
  untouched(words.size());
  return found;
}

KernelDesc describe(const IndependentAtomics& atomics, const char* form) {
  return {.name = "atomic_throughput",
          .definitions = {{"OPERATION", atomics.operation.definition},
                          {"FORM", form},
                          {"MEMORY", atomics.local ? "MEMORY_LOCAL" : "MEMORY_GLOBAL"}},
          .local_size = atomics.group_size,
          .bindings = {{"out"}, {"stamps"}, {"words"}},
          .parameters = kIndependentAtomicsParameters};
}

}  // namespace

std::optional<std::string> independent_atomics_unsupported(const DeviceInfo& device, const IndependentAtomics& atomics) {
  if (atomics.group_size > device.max_group_size)
    return fmt::format("a work-group has at most {} invocations", device.max_group_size);
  if (atomics.groups > device.max_groups) return fmt::format("a dispatch has at most {} work-groups", device.max_groups);
  if (const std::uint64_t lanes = std::uint64_t{atomics.groups} * atomics.group_size; lanes > kMostLanes)
    return fmt::format("a word cannot count the operations of {} invocations", lanes);
  if (atomics.local && std::uint64_t{atomics.group_size} * kWordBytes > device.local_memory_bytes)
    return fmt::format("the words take {} of local memory, a work-group has {}",
                       format_bytes(std::uint64_t{atomics.group_size} * kWordBytes), format_bytes(device.local_memory_bytes));
  if (!atomics.one_word && atomics.sharers > atomics.group_size)
    return fmt::format("a work-group of {} does not have {} lanes to share a word", atomics.group_size, atomics.sharers);
  if (atomics.operation.operation == AtomicOperation::and_or && (atomics.one_word || atomics.sharers > 32))
    return "each lane checks one bit, and a word has 32";
  // See tests/isa/codegen.md.
  const bool is_store = gpu_vendor(device) == "AMD" && (device.api == Api::opencl || atomics.local);
  if (atomics.operation.operation == AtomicOperation::exchange && !atomics.returns && is_store)
    return "AMD's compilers replace an exchange with an unused result by a store";
  const Places places = places_of(device, atomics);
  if (const std::uint64_t most = chase_capacity(device, "global-index"); places.words * kWordBytes > most)
    return fmt::format("a buffer holds at most {}", format_bytes(most));
  if (places.words / atomics.group_size > device.max_groups) return "a dispatch has too few invocations to set all words";
  return std::nullopt;
}

Trial independent_atomics_trial(Device& device, const IndependentAtomics& atomics) {
  const DeviceInfo& info = device.info();
  const Places places = places_of(info, atomics);
  const std::uint32_t lanes = all_lanes(atomics);
  const std::uint32_t start = atomic_start(atomics.operation.operation);
  const auto out = device.create(BufferDesc{std::uint64_t{lanes} * kWordBytes});
  const auto stamps = device.create(BufferDesc{atomics.groups * sizeof(GroupStamp)});
  const auto words = device.create(BufferDesc{places.words * kWordBytes});
  const auto dispatch = [&](const KernelDesc& desc, std::uint32_t groups) {
    return Dispatch{device.create(desc),
                    {{out, nullptr}, {stamps, nullptr}, {words, nullptr}},
                    {{"loops", 0},
                     {"sharers", places.sharers},
                     {"spread", places.spread},
                     {"group_spread", places.group_spread},
                     {"lanes", lanes},
                     {"zero", 0},
                     {"start", start}},
                    groups};
  };

  Trial trial;
  if (!atomics.local) {
    IndependentAtomics any = atomics;
    any.operation = kAtomicOperations[0];  // unused: one kernel for all operations
    trial.before_sample = {dispatch(describe(any, "FORM_START"), static_cast<std::uint32_t>(places.words / atomics.group_size))};
  }
  trial.timed.dispatch = dispatch(describe(atomics, atomics.returns ? "FORM_RETURN" : "FORM_NO_RETURN"), atomics.groups);
  trial.timed.ops_per_loop = kOpsPerLoop;
  trial.timed.turn = {{.path = atomics.local ? MemoryPath::local : MemoryPath::global,
                       .kind = AccessKind::atomic,
                       .width = kWordBytes,
                       .count = kOpsPerLoop,
                       .returns = atomics.returns}};
  // lavapipe also counts the last check of a loop.
  const std::uint64_t sharers = atomics.one_word ? lanes : places.sharers;
  trial.timed.max_loops =
      std::min(info.max_loop_iterations.value_or(UINT32_MAX) - 1, kMostOperations / (kOpsPerLoop * sharers) - 1);
  trial.timed.verify = [atomics, places, lanes, out, words](Device& on, std::uint64_t loops) {
    std::vector<std::uint32_t> sums(atomics.returns ? lanes : 0);
    std::vector<std::uint32_t> ends(places.words);
    if (atomics.returns) on.read(*out, 0, std::as_writable_bytes(std::span(sums)));
    on.read(*words, 0, std::as_writable_bytes(std::span(ends)));
    const std::uint64_t operations = loops * kOpsPerLoop;
    const auto reason = wrong(places, atomics, operations, ends, sums);
    return reason ? Outcome{Status::invalid, fmt::format("{} after {} operations of each lane", *reason, operations)} : Outcome{};
  };
  trial.group_stamps = GroupStamps{stamps, 0, atomics.groups};
  trial.participants = Participants{.dispatch = lanes, .group = atomics.group_size};
  trial.repeatable = true;
  observe_subgroup_size(trial, device);
  return trial;
}

}  // namespace percycle
