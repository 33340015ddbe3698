#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "core/data_words.hpp"
#include "core/units.hpp"
#include "device/values.hpp"
#include "experiments/common/product.hpp"
#include "experiments/experiment.hpp"
#include "vocabulary/l2_map.hpp"

namespace percycle::l2_map_experiment {
namespace {

// Parameters and layout of kernel pair `l2_map`.
const std::vector<KernelParameter> kL2MapParameters{
    {"loops", "timed turns of 8 accesses to each line"},
    {"lines", "single lines"},
    {"units", "numbers of units below it take part"},
    {"patience", "looks for the own turn"},
    {"pause", "ticks between two looks, for each turn of the loop and each unit that is still ahead"}};
constexpr std::size_t kTurnWord = 9;
constexpr std::size_t kGaveUpWord = 10;
constexpr std::size_t kSeenWord = 16;
constexpr std::uint32_t kStepsPerTurn = 8;
/// Links of a sector form a ring of this many words. A prime, so that every turn ends elsewhere.
constexpr std::uint32_t kRing = 7;
constexpr std::uint32_t kRingStep = 3;

constexpr std::uint32_t kPartLines = 32;
/// One line in each block of this size: the usual hash spreads them over all slices.
constexpr std::uint32_t kBlockWords = 4 * kKiB / 4;
constexpr std::uint32_t kLineWords = 128 / 4;

constexpr std::uint32_t kGroupsPerUnit = 4;  // so that each unit gets one under any distribution
constexpr std::uint32_t kPatience = 1u << 22u;
constexpr std::uint32_t kPauseTicks = 16;   // for each access of the timed unit: far below a hit
constexpr std::uint64_t kMostLoops = 4096;  // more would overflow the pause
constexpr double kMapSampleNs = 30e6;
constexpr std::uint64_t kMapSamples = 3;

const WordsParameter kAccesses{parameter::kAccess,
                               {l2_map_access::kLoad, l2_map_access::kAtomic},
                               "load: volatile loads; atomic: atomics that change nothing, at the line's own slice"};

std::uint32_t units_of(const DeviceInfo& device) { return device.unit_id && device.units ? device.units->value : 1; }

/// The word in which each line's ring begins: a drawn line of each block.
std::vector<std::uint32_t> line_starts(std::uint32_t lines, const DataWords& words) {
  std::vector<std::uint32_t> starts;
  for (std::uint32_t line = 0; line < lines; ++line)
    starts.push_back(line * kBlockWords + words.word(line) % (kBlockWords / kLineWords) * kLineWords);
  return starts;
}

/// The words of all lines: other numbers, and a ring of links in the drawn line of each block.
std::vector<std::uint32_t> ring_contents(const std::vector<std::uint32_t>& starts, const DataWords& words) {
  std::vector<std::uint32_t> contents(starts.size() * kBlockWords);
  for (std::size_t i = 0; i < contents.size(); ++i) contents[i] = words.word(i);
  for (const std::uint32_t start : starts) {
    for (std::uint32_t i = 0; i < kRing; ++i) contents[start + i] = start + (i + kRingStep) % kRing;
  }
  return contents;
}

/// Whether every unit had its turn, by the words of `state` after a run.
Outcome check_turns(const std::vector<std::uint32_t>& left, std::uint32_t units) {
  if (left[kGaveUpWord] != 0) return {Status::unsupported, "the units made no forward progress: the turn of one never came"};
  for (std::uint32_t unit = 0; unit < units; ++unit) {
    if (left[kSeenWord + unit] == 0) return {Status::unsupported, fmt::format("no work-group ran on unit {}", unit)};
  }
  if (left[kTurnWord] != units) return {Status::invalid, fmt::format("{} of {} units had their turn", left[kTurnWord], units)};
  return {};
}

/// Whether every unit stands at the right word of each ring.
Outcome check_ends(const std::vector<std::uint32_t>& ends, const std::vector<std::uint32_t>& starts, std::uint64_t loops) {
  const auto step = static_cast<std::uint32_t>(loops % kRing * kStepsPerTurn * kRingStep % kRing);
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const std::uint32_t right = starts[i % starts.size()] + step;
    if (ends[i] == right) continue;
    return {Status::invalid, fmt::format("unit {} stands at word {} of line {} instead of {} after {} turns", i / starts.size(),
                                         ends[i], i % starts.size(), right, loops)};
  }
  return {};
}

/// Hit latency of single lines from every unit, past the caches of the units.
class L2Map final : public Experiment {
 public:
  std::string name() const override { return experiment::kL2Map; }

  Presentation presentation() const override {
    return {.title = "Map of the chip",
            .question = "Which part of the last cache is near which unit?",
            .method =
                "One unit after the other follows links within one line of the last cache, line after line. "
                "The accesses bypass the caches of the unit. Lines with equal latencies from every unit lie in one slice of the "
                "cache. Units with equal latencies to every line lie at one place of the chip.",
            .metric = "hit latency, the mean over all units and lines; the series `ticks` has a value for each unit and line",
            .operation = "access",
            .order = 325,
            .map = PairMap::lines};
  }

  std::vector<ParameterSpec> parameters() const override { return {kAccesses}; }

  std::vector<Point> plan(const DeviceInfo& device, const Options& options,
                          std::span<const PointResult> /*done*/) const override {
    std::vector<std::uint32_t> parts(by_preset(options.preset, 2u, 8u, 32u));
    std::iota(parts.begin(), parts.end(), 0u);
    auto points = product({name(), {{parameter::kLines, kPartLines}}},
                          {{parameter::kAccess, options[kAccesses]}, {parameter::kPart, parts}});
    if (unsupported(device, points.front())) points.resize(1);
    return points;
  }

  std::optional<std::string> unsupported(const DeviceInfo& device, const Point&) const override {
    if (!device.unit_id) return "a kernel cannot read which unit runs it";
    if (!device.unit_clock) return "a kernel cannot read its unit's clock";
    if (!device.units) return "the number of units is unknown";
    if (device.units->value < 2) return "the device has only one unit";
    if (std::uint64_t{kGroupsPerUnit} * units_of(device) > device.max_groups)
      return fmt::format("a dispatch has at most {} work-groups", device.max_groups);
    return std::nullopt;
  }

  Trial prepare(Device& device, const Point& point, std::uint64_t seed) const override {
    const DeviceInfo& info = device.info();
    const std::uint32_t units = units_of(info);
    const auto lines = number<std::uint32_t>(point, parameter::kLines);
    const DataWords words(seed + number(point, parameter::kPart));
    const auto starts = line_starts(lines, words);
    const auto chain = buffer_of(device, ring_contents(starts, words));
    const auto firsts = buffer_of(device, starts);
    const std::vector<std::uint32_t> fresh(kSeenWord + units);
    const auto state = buffer_of(device, fresh);
    const std::size_t cells = std::size_t{units} * lines;
    const auto out = device.create(BufferDesc{2 * cells * sizeof(std::uint32_t)});

    const bool atomic = word(point, parameter::kAccess) == l2_map_access::kAtomic;
    const KernelDesc desc{.name = "l2_map",
                          .definitions = {{"ACCESS", atomic ? "ACCESS_ATOMIC" : "ACCESS_LOAD"}},
                          .local_size = info.subgroup_sizes.empty() ? 1 : info.subgroup_sizes.front(),
                          .bindings = {{"chain"}, {"starts"}, {"state"}, {"out"}},
                          .parameters = kL2MapParameters};
    Trial trial;
    trial.timed.dispatch = {device.create(desc),
                            {{chain, nullptr}, {firsts, nullptr}, {state, nullptr}, {out, nullptr}},
                            {{"loops", 0},
                             {"lines", lines},
                             {"units", units},
                             {"patience", kPatience},
                             {"pause", lines * kStepsPerTurn * kPauseTicks}},
                            units > 1 ? kGroupsPerUnit * units : 1};
    trial.timed.ops_per_loop = std::uint64_t{kStepsPerTurn} * cells;
    trial.timed.max_loops = std::min<std::uint64_t>(info.max_loop_iterations.value_or(UINT32_MAX) / lines - 2, kMostLoops);
    trial.timed.turn = {{.path = MemoryPath::global,
                         .kind = atomic ? AccessKind::atomic : AccessKind::read,
                         .count = kStepsPerTurn,
                         .returns = atomic}};
    trial.timed.verify = [=](Device& on, std::uint64_t loops) {
      const auto left = read_values<std::uint32_t>(on, *state, fresh.size());
      write_values(on, *state, fresh);
      if (Outcome turns = check_turns(left, units); turns.status != Status::ok) return turns;
      return check_ends(read_values<std::uint32_t>(on, *out, cells, cells * sizeof(std::uint32_t)), starts, loops);
    };
    trial.clocks = ClockReadings{state, 0};
    trial.series = SeriesReading{series::kTicks, out, 0, cells};
    trial.samples = kMapSamples;
    trial.sample_ns = kMapSampleNs;
    return trial;
  }
};

const RegisterExperiment registered(std::make_unique<L2Map>());

}  // namespace
}  // namespace percycle::l2_map_experiment
