#include "experiments/atomics/parts/atomic_handover.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "device/values.hpp"
#include "experiments/atomics/parts/subgroup_lanes.hpp"

namespace percycle {
namespace {

using Between = Handover::Between;

// Parameters and layout of kernel pair `atomic_handover`.
const std::vector<KernelParameter> kHandoverParameters{{"rounds", "timed rounds of the token"},
                                                       {"warm", "untimed rounds before them"},
                                                       {"looks", "turns of 16 looks for the other side's sign"},
                                                       {"patience", "turns of 4 tries"},
                                                       {"first", "unit of side 0"},
                                                       {"second", "unit of side 1"}};
constexpr std::size_t kTokenWord = 0;
constexpr std::size_t kArrivalsWord = 96;
constexpr std::size_t kLineWords = 32;
constexpr std::size_t kWords = 160;
constexpr std::size_t kDoneWord = 8;
constexpr std::size_t kTriesWord = 10;
constexpr std::size_t kUnitWord = 12;
constexpr std::size_t kMetWord = 14;
constexpr std::size_t kOutWords = 16;
constexpr std::uint64_t kPerRound = 2;  // hand-overs: there and back

constexpr std::uint32_t kWarmRounds = 64;
// A side gives up after at most 1/6 s on a GPU and 1/30 s on a CPU. A CPU thread may wait for a
// core, so it tries more often.
constexpr std::uint32_t kLooks = 1 << 18;
constexpr std::uint32_t kPatience = 1 << 18;
constexpr std::uint32_t kCpuPatience = 1 << 21;
// Some devices limit the iterations of all loops together. A quarter goes to the looks, a quarter
// to the tries, the rest to the rounds.
constexpr std::uint32_t kLooksShare = 4;
constexpr std::uint32_t kPatienceShare = 4;
constexpr std::uint32_t kTurnsPerRound = 8;

constexpr std::uint32_t kGroupsPerUnit = 4;  // so that each unit gets two under any distribution
constexpr std::uint32_t kAnyUnit = 0xffffffff;
// In-kernel clocks exclude the launch and the meeting. Other timers include both, so samples are
// longer.
constexpr double kSampleNs = 200e3;
constexpr double kSampleNsWithoutClock = 2e6;
constexpr std::uint64_t kSamples = 31;
constexpr double kBriefSampleNs = 100e3;
constexpr std::uint64_t kBriefSamples = 5;

bool in_one_group(Between between) { return between == Between::lanes || between == Between::subgroups; }

/// Whether the sides run on units that the point names.
bool by_unit(Between between) { return between == Between::unit || between == Between::units; }

/// The kernel's parameters `first` and `second`.
std::array<std::uint32_t, 2> units_of(const Handover& handover) {
  switch (handover.between) {
    case Between::unit:
      return {handover.first, handover.first};
    case Between::units:
      return {handover.first, handover.second};
    default:
      return {kAnyUnit, kAnyUnit};
  }
}

std::uint32_t groups_of(const DeviceInfo& device, Between between) {
  if (in_one_group(between)) return 1;
  return between == Between::groups ? 2 : kGroupsPerUnit * device.units->value;
}

const char* definition_of(Between between) {
  return between == Between::lanes ? "BETWEEN_LANES" : between == Between::subgroups ? "BETWEEN_SUBGROUPS" : "BETWEEN_GROUPS";
}

Outcome no_progress(const Handover& handover, const std::string& why) {
  return {Status::unsupported, fmt::format("{} made no forward progress: {}", to_string(handover), why)};
}

/// The outcome of a dispatch of `rounds` rounds, from the memory that both sides leave.
Outcome judge(const Handover& handover, std::span<const std::uint32_t> words, std::span<const std::uint32_t> out,
              std::uint64_t rounds, std::uint32_t looks, std::uint32_t patience) {
  const auto units = units_of(handover);
  if (by_unit(handover.between)) {
    const std::array<bool, 2> arrived{words[kArrivalsWord] > 0,
                                      units[0] == units[1] ? words[kArrivalsWord] > 1 : words[kArrivalsWord + kLineWords] > 0};
    for (std::size_t side = 0; side < 2; ++side) {
      if (!arrived[side]) {
        return {Status::unsupported,
                fmt::format("no {}work-group ran on unit {}", side == 1 && units[0] == units[1] ? "second " : "", units[side])};
      }
    }
  }
  for (std::size_t side = 0; side < 2; ++side) {
    if (out[kMetWord + side] == 0)
      return no_progress(handover,
                         fmt::format("one side looked {} times without a sign of the other", 16 * std::uint64_t{looks}));
  }
  const std::uint64_t all = kWarmRounds + rounds;
  if (out[kDoneWord] != all || out[kDoneWord + 1] != all) {
    return no_progress(handover, fmt::format("after {} of {} hand-overs one side failed {} times",
                                             out[kDoneWord] + out[kDoneWord + 1], 2 * all, 4 * std::uint64_t{patience}));
  }
  if (words[kTokenWord] != static_cast<std::uint32_t>(2 * all)) {
    return {Status::invalid, fmt::format("the token is {} after {} hand-overs", words[kTokenWord], 2 * all)};
  }
  for (std::size_t side = 0; side < 2; ++side) {
    if (out[kTriesWord + side] < rounds)
      return {Status::invalid,
              fmt::format("side {} made {} compare-exchanges in {} rounds", side, out[kTriesWord + side], rounds)};
    if (by_unit(handover.between) && out[kUnitWord + side] != units[side])
      return {Status::invalid, fmt::format("side {} ran on unit {}, not {}", side, out[kUnitWord + side], units[side])};
  }
  return {};
}

/// Whether the two sides of this dispatch run in turn, as threads that share a core do: then the
/// operating system's time slices are measured. A busy host may do that to one run, so the fastest
/// of several counts.
bool runs_in_turn(Device& device, Dispatch dispatch, const std::function<void(Device&)>& clear) {
  constexpr int kRuns = 3;
  constexpr std::uint32_t kRounds = 16;
  // A hand-over between cores takes about 100 ns, a time slice more than 1 ms.
  constexpr std::chrono::microseconds kSlowHandover{300};
  dispatch.parameters.insert_or_assign("rounds", kRounds);
  // The measurement's own stays as it is.
  dispatch.bindings.at(1).buffer = device.create(BufferDesc{kOutWords * 4});
  for (int i = 0; i < kRuns; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    device.run(dispatch);
    const auto elapsed = std::chrono::steady_clock::now() - begin;
    clear(device);
    if (elapsed < kPerRound * (kWarmRounds + kRounds) * kSlowHandover) return false;
  }
  return true;
}

}  // namespace

std::string to_string(const Handover& handover) {
  switch (handover.between) {
    case Between::lanes:
      return "two lanes of a subgroup";
    case Between::subgroups:
      return "two subgroups of a work-group";
    case Between::unit:
      return fmt::format("two work-groups on unit {}", handover.first);
    case Between::units:
      return fmt::format("work-groups on units {} and {}", handover.first, handover.second);
    case Between::groups:
      return "two work-groups";
  }
  return "";
}

std::optional<std::string> unsupported(const DeviceInfo& device, const Handover& handover) {
  if (by_unit(handover.between) && !device.unit_id) return "a kernel cannot read which unit runs it";
  if (by_unit(handover.between) && !device.units) return "the number of units is unknown";
  if (by_unit(handover.between) && std::max(handover.first, handover.second) >= device.units->value)
    return fmt::format("the device has only {} unit{}", device.units->value, device.units->value == 1 ? "" : "s");
  if (handover.local && device.local_memory_bytes < kWords * 4) return "the device has no local memory";
  if (handover.between == Between::subgroups && device.max_group_size < 2 * subgroup_lanes(device))
    return fmt::format("a work-group has at most {} invocations", device.max_group_size);
  return std::nullopt;
}

Trial handover_trial(Device& device, const Handover& handover) {
  const DeviceInfo& info = device.info();
  const std::uint32_t lanes = subgroup_lanes(info);
  const auto words = device.create(BufferDesc{kWords * 4});
  const auto out = buffer_of(device, std::vector<std::uint32_t>(kOutWords));
  const auto clear = [words](Device& on) {
    const std::vector<std::uint32_t> zeros(kWords);
    write_values(on, *words, zeros);
  };
  clear(device);

  const KernelDesc desc{.name = "atomic_handover",
                        .definitions = {{"BETWEEN", definition_of(handover.between)},
                                        {"MEMORY", handover.local ? "MEMORY_LOCAL" : "MEMORY_GLOBAL"}},
                        .local_size = handover.between == Between::subgroups ? 2 * lanes : std::min(lanes, info.max_group_size),
                        .bindings = {{"words"}, {"out"}},
                        .parameters = kHandoverParameters};
  const auto units = units_of(handover);
  const auto limit = info.max_loop_iterations;
  const std::uint32_t looks = limit ? static_cast<std::uint32_t>(*limit / kLooksShare) : kLooks;
  const std::uint32_t patience = limit                          ? static_cast<std::uint32_t>(*limit / kPatienceShare)
                                 : info.type == DeviceType::cpu ? kCpuPatience
                                                                : kPatience;

  Trial trial;
  trial.timed.dispatch = {
      device.create(desc),
      {{words, nullptr}, {out, nullptr}},
      {{"rounds", 0}, {"warm", kWarmRounds}, {"looks", looks}, {"patience", patience}, {"first", units[0]}, {"second", units[1]}},
      groups_of(info, handover.between)};
  trial.timed.loops_parameter = "rounds";
  trial.timed.ops_per_loop = kPerRound;
  trial.timed.max_loops = limit ? *limit / kTurnsPerRound : std::uint64_t{1} << 24;
  const bool has_threads = info.type == DeviceType::cpu && handover.between != Between::lanes;
  const bool in_turn = has_threads && runs_in_turn(device, trial.timed.dispatch, clear);
  trial.timed.verify = [=](Device& on, std::uint64_t rounds) -> Outcome {
    std::vector<std::uint32_t> end(kWords);
    std::vector<std::uint32_t> left(kOutWords);
    on.read(*words, 0, std::as_writable_bytes(std::span(end)));
    on.read(*out, 0, std::as_writable_bytes(std::span(left)));
    clear(on);  // every run starts with a new token
    Outcome outcome = judge(handover, end, left, rounds, looks, patience);
    if (outcome.status != Status::ok || !in_turn) return outcome;
    return {Status::unsupported,
            fmt::format("{} take turns on a core, so a hand-over takes a time slice of the system", to_string(handover))};
  };
  trial.clocks = ClockReadings{out, 0};
  trial.series = SeriesReading{"tries", out, kTriesWord * 4, 2, true};
  trial.samples = handover.brief ? kBriefSamples : kSamples;
  trial.sample_ns = !info.device_clock || info.type == DeviceType::cpu ? kSampleNsWithoutClock
                    : handover.brief                                   ? kBriefSampleNs
                                                                       : kSampleNs;
  return trial;
}

}  // namespace percycle
