#include "experiments/atomics/parts/independent_atomics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "core/units.hpp"
#include "device/identity.hpp"
#include "expected/atomic_sums.hpp"
#include "experiments/chases/parts/chase.hpp"

namespace percycle {
namespace {

// Of kernel pair `atomic_throughput`.
constexpr std::uint32_t kOpsPerLoop = 16;
const std::vector<KernelParameter> kParameters{{"loops", "of 16 operations"},
                                               {"sharers", "lanes of a group, one after the other, that share a word"},
                                               {"spread", "words from a group's first to its second"},
                                               {"group_spread", "words from one group's first to the next one's"},
                                               {"lanes", "of all groups"},
                                               {"zero", "0"},
                                               {"start", "of every word"}};

constexpr std::uint32_t kUsualLineBytes = 128;
constexpr std::uint32_t kWordBytes = 4;
constexpr std::uint64_t kMostLanes = std::uint64_t{1} << 26;  // two loop turns of them all are below kMostOperations

/// Where the words lie, counted in words.
struct Places {
  std::uint32_t sharers = 1;  ///< in a group
  std::uint32_t spread = 1;   ///< from one word of a group to the next
  std::uint32_t group_spread = 1;
  std::uint64_t words = 0;  ///< of the buffer: whole groups of lanes, so that each lane can set one
};

Places places_of(const DeviceInfo& device, const IndependentAtomics& what) {
  const std::uint32_t line = device.cache_line_bytes.value_or(kUsualLineBytes) / kWordBytes;
  const std::uint32_t size = what.group_size;
  Places places{.sharers = what.one_word ? size : what.sharers, .spread = what.apart ? line : 1};
  const std::uint32_t of_group = (size + places.sharers - 1) / places.sharers * places.spread;
  // Of local memory each lane tells one word, whether it has one or not.
  places.group_spread = what.one_word ? 0 : what.local ? size : (of_group + line - 1) / line * line;
  const std::uint64_t words = std::max<std::uint64_t>(std::uint64_t{what.groups} * places.group_spread, 1);
  places.words = (words + size - 1) / size * size;
  return places;
}

std::uint32_t all_lanes(const IndependentAtomics& what) { return what.groups * what.group_size; }

/// Calls `use` with the place of each word that lanes share and with them, by rising places.
template <typename Use>
void for_each_share(const Places& places, const IndependentAtomics& what, std::uint64_t operations, const Use& use) {
  const auto share = [&](std::uint32_t first, std::uint32_t sharers) {
    return AtomicShare{what.operation.operation, operations, first, sharers, all_lanes(what)};
  };
  if (what.one_word) return use(0, share(0, all_lanes(what)));
  for (std::uint32_t group = 0; group < what.groups; ++group) {
    std::uint64_t place = std::uint64_t{group} * places.group_spread;
    for (std::uint32_t lane = 0; lane < what.group_size; lane += places.sharers, place += places.spread) {
      use(place, share(group * what.group_size + lane, std::min(places.sharers, what.group_size - lane)));
    }
  }
}

/// Empty when the words and what was returned are right.
std::optional<std::string> wrong(const Places& places, const IndependentAtomics& what, std::uint64_t operations,
                                 std::span<const std::uint32_t> words, std::span<const std::uint32_t> sums) {
  const std::uint32_t start = atomic_start(what.operation.operation);
  std::optional<std::string> found;
  std::uint64_t next = 0;
  const auto untouched = [&](std::uint64_t end) {
    for (; next < end && !found; ++next) {
      if (words[next] != start) found = fmt::format("word {} changed although no lane uses it", next);
    }
  };
  for_each_share(places, what, operations, [&](std::uint64_t place, const AtomicShare& share) {
    untouched(place);
    if (found) return;
    std::optional<std::uint32_t> sum;
    if (what.returns) {
      sum = 0;
      for (const std::uint32_t each : sums.subspan(share.first, share.sharers)) *sum += each;
    }
    found = wrong_share(share, words[place], sum);
    next = place + 1;
  });
  untouched(words.size());
  return found;
}

KernelDesc describe(const IndependentAtomics& what, const char* form) {
  return {.name = "atomic_throughput",
          .definitions = {{"OPERATION", what.operation.definition},
                          {"FORM", form},
                          {"MEMORY", what.local ? "MEMORY_LOCAL" : "MEMORY_GLOBAL"}},
          .local_size = what.group_size,
          .bindings = {{"out"}, {"stamps"}, {"words"}},
          .parameters = kParameters,
          .constants = {},
          .subgroup_size = {}};
}

}  // namespace

std::optional<std::string> independent_atomics_unsupported(const DeviceInfo& device, const IndependentAtomics& what) {
  if (what.group_size > device.max_group_size)
    return fmt::format("a work-group has at most {} invocations", device.max_group_size);
  if (what.groups > device.max_groups) return fmt::format("a dispatch has at most {} work-groups", device.max_groups);
  if (const std::uint64_t lanes = std::uint64_t{what.groups} * what.group_size; lanes > kMostLanes)
    return fmt::format("a word cannot count the operations of {} invocations", lanes);
  if (what.local && std::uint64_t{what.group_size} * kWordBytes > device.local_memory_bytes)
    return fmt::format("the words take {} of local memory, a work-group has {}",
                       format_bytes(std::uint64_t{what.group_size} * kWordBytes), format_bytes(device.local_memory_bytes));
  if (!what.one_word && what.sharers > what.group_size)
    return fmt::format("a work-group of {} does not have {} lanes to share a word", what.group_size, what.sharers);
  if (what.operation.operation == AtomicOperation::and_or && (what.one_word || what.sharers > 32))
    return "each lane checks one bit, and a word has 32";
  const bool is_store = gpu_vendor(device) == "AMD" && (device.api == Api::opencl || what.local);  // results/codegen.md
  if (what.operation.operation == AtomicOperation::exchange && !what.returns && is_store)
    return "AMD's compilers replace an exchange with an unused result by a store";
  const Places places = places_of(device, what);
  if (const std::uint64_t most = chase_capacity(device, "global-index"); places.words * kWordBytes > most)
    return fmt::format("a buffer holds at most {}", format_bytes(most));
  if (places.words / what.group_size > device.max_groups) return "a dispatch has too few invocations to set all words";
  return std::nullopt;
}

Trial independent_atomics_trial(Device& device, const IndependentAtomics& what) {
  const DeviceInfo& info = device.info();
  const Places places = places_of(info, what);
  const std::uint32_t lanes = all_lanes(what);
  const std::uint32_t start = atomic_start(what.operation.operation);
  const auto out = device.create(BufferDesc{std::uint64_t{lanes} * kWordBytes});
  const auto stamps = device.create(BufferDesc{what.groups * sizeof(GroupStamp)});
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
  if (!what.local) {
    IndependentAtomics any = what;
    any.operation = kAtomicOperations[0];  // does none: one kernel for all
    trial.before_sample = {dispatch(describe(any, "FORM_START"), static_cast<std::uint32_t>(places.words / what.group_size))};
  }
  trial.timed.dispatch = dispatch(describe(what, what.returns ? "FORM_RETURN" : "FORM_NO_RETURN"), what.groups);
  trial.timed.ops_per_loop = kOpsPerLoop;
  trial.timed.turn = {{.path = what.local ? MemoryPath::local : MemoryPath::global,
                       .kind = AccessKind::atomic,
                       .width = kWordBytes,
                       .count = kOpsPerLoop,
                       .returns = what.returns}};
  // lavapipe also counts the pass in which the loop ends.
  const std::uint64_t sharers = what.one_word ? lanes : places.sharers;
  trial.timed.max_loops =
      std::min(info.max_loop_iterations.value_or(UINT32_MAX) - 1, kMostOperations / (kOpsPerLoop * sharers) - 1);
  trial.timed.verify = [what, places, lanes, out, words](Device& on, std::uint64_t loops) {
    std::vector<std::uint32_t> sums(what.returns ? lanes : 0);
    std::vector<std::uint32_t> ends(places.words);
    if (what.returns) on.read(*out, 0, std::as_writable_bytes(std::span(sums)));
    on.read(*words, 0, std::as_writable_bytes(std::span(ends)));
    const std::uint64_t operations = loops * kOpsPerLoop;
    const auto reason = wrong(places, what, operations, ends, sums);
    return reason ? Outcome{Status::invalid, fmt::format("{} after {} operations of each lane", *reason, operations)} : Outcome{};
  };
  trial.group_stamps = GroupStamps{stamps, 0, what.groups};
  trial.participants = Participants{.dispatch = lanes, .group = what.group_size};
  trial.repeatable = true;
  if (const auto code = device.code(*trial.timed.dispatch.kernel); code && code->subgroup_size) {
    trial.observed["subgroup_size"] = std::to_string(*code->subgroup_size);
  }
  return trial;
}

}  // namespace percycle
