#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analysis/residency.hpp"
#include "core/data_words.hpp"
#include "core/figures.hpp"
#include "core/units.hpp"
#include "device/values.hpp"
#include "expected/residency.hpp"
#include "experiments/common/execution_mode.hpp"
#include "experiments/common/invocation_words.hpp"
#include "experiments/common/sweep.hpp"
#include "experiments/experiment.hpp"
#include "vocabulary/residency.hpp"

namespace percycle::residency_experiment {
namespace {

/// Each unit gets twice as many invocations as any known one holds at once.
constexpr std::uint32_t kInvocationsPerUnit = 4096;
constexpr std::uint32_t kFactor = 0x2c9277b5;  // odd: no turn loses bits
constexpr double kSampleNs = 1e6;              // far more than it takes to start all groups
constexpr std::uint64_t kSamples = 3;

constexpr std::array<std::uint32_t, 9> kSubgroups{1, 2, 4, 6, 8, 12, 16, 24, 32};
/// One for each of up to four schedulers, so that a file for all and one for each hold as many.
constexpr std::uint32_t kRegisterSubgroups = 4;
constexpr std::uint32_t kFewValues = 2;
constexpr std::uint32_t kValueGrid = 16;
constexpr std::uint32_t kMostValues = 224;  // with addresses and counter less than 255 registers
/// Near the most registers of an invocation on NVIDIA (255): which kernel is the first to spill?
constexpr std::array<std::uint32_t, 7> kSpillingValues{228, 232, 236, 240, 244, 248, 256};
constexpr std::uint64_t kLocalStep = 128;
constexpr std::uint64_t kLeastLocal = 1024;
constexpr unsigned kLocalPerOctave = 2;
constexpr unsigned kMostFutile = 2;      // generations in a row without a new number of registers
constexpr std::size_t kMostPoints = 40;  // of one resource, in case no size explains the counts

const WordsParameter kResources{
    parameter::kResource,
    {residency_resource::kInvocations, residency_resource::kLocalMemory, residency_resource::kRegisters},
    "the property of the work-groups that grows"};

struct GroupDemand {
  std::uint32_t group_size = 1;
  std::uint64_t local_bytes = 0;
  std::uint32_t values = kFewValues;
};

std::uint32_t subgroup_size(const DeviceInfo& device) {
  return device.subgroup_sizes.empty() ? 1 : device.subgroup_sizes.front();
}

GroupDemand groups_of(const Point& point) {
  return {number_or(point, parameter::kGroupSize, 1u), number_or(point, parameter::kLocalBytes, std::uint64_t{0}),
          number_or(point, parameter::kValues, kFewValues)};
}

std::uint32_t group_count(const DeviceInfo& device, const GroupDemand& groups) {
  const std::uint32_t units = device.units ? device.units->value : 1;
  return units * std::max(2u, kInvocationsPerUnit / groups.group_size);
}

/// The most that a unit held at once, in groups of any size.
struct MostAtOnce {
  std::optional<std::uint64_t> groups;
  std::optional<std::uint64_t> invocations;
};

/// Text that makes a call of `part` for each value.
template <typename Part>
std::string each_value(std::uint32_t values, const char* between, const Part& part) {
  std::string text;
  for (std::uint32_t i = 0; i < values; ++i) text += (i == 0 ? "" : between) + part(i);
  return text;
}

class ResidencyExperiment final : public Experiment {
 public:
  std::string name() const override { return experiment::kResidency; }

  Presentation presentation() const override {
    const auto chart = [](const char* resource, const char* x, const char* title, const char* x_title,
                          AxisScale scale = AxisScale::linear) {
      return CurveChart{.name = std::string("residency-") + resource,
                        .title = title,
                        .only = {{parameter::kResource, resource}},
                        .x = x,
                        .x_title = x_title,
                        .x_scale = scale,
                        .y = {figures::kMostAtOnce}};
    };
    return {.title = "Residency",
            .question = "How many work-groups and subgroups does a unit hold at once?",
            .method =
                "percycle starts more work-groups than the units can hold. Each work-group records its unit, and the unit's "
                "clock when it begins and when it ends. The largest number that overlaps on one unit was resident there. "
                "Points differ in the size of the work-groups, in their declared local memory, or in their registers.",
            .metric = "resident work-groups of a unit, the maximum over all units",
            .operation = "step",
            .order = 160,
            .curves = {chart(residency_resource::kInvocations, parameter::kGroupSize, "Resident work-groups by their size",
                             "invocations of a work-group"),
                       chart(residency_resource::kLocalMemory, parameter::kLocalBytes, "Resident work-groups by local memory",
                             "local memory of a work-group", AxisScale::bytes),
                       chart(residency_resource::kRegisters, parameter::kValues, "Resident work-groups by registers",
                             "words that an invocation keeps")}};
  }

  std::vector<ParameterSpec> parameters() const override { return {kResources}; }

  std::vector<Point> plan(const DeviceInfo& device, const Options& options, std::span<const PointResult> done) const override {
    std::vector<Point> points;
    const auto& resources = options[kResources];
    for (const std::string& resource : resources) {
      const Point first = point_of(device, resource, smallest(device, resource));
      // If the smallest is unsupported, all are: one point reports it.
      if (unsupported(device, first)) {
        points.push_back(first);
        continue;
      }
      for (const std::uint64_t size : sizes(device, resource, resources, options.preset, done)) {
        if (Point point = point_of(device, resource, size); !unsupported(device, point)) points.push_back(std::move(point));
      }
      // No model spills.
      const bool may_spill = resource == residency_resource::kRegisters && device.model.empty();
      if (may_spill && options.preset != Preset::quick) {
        for (const std::uint32_t values : kSpillingValues) points.push_back(point_of(device, resource, values));
      }
    }
    return points;
  }

  std::optional<std::string> unsupported(const DeviceInfo& device, const Point& point) const override {
    if (!device.unit_id) return "a kernel cannot read which unit runs it";
    if (!device.unit_clock) return "a kernel cannot read its unit's clock";
    if (!device.units) return "the number of units is unknown";
    if (device.subgroup_sizes.empty()) return "the device reports no subgroup size";
    const GroupDemand groups = groups_of(point);
    if (auto reason = group_unsupported(device, groups.group_size, std::nullopt)) return reason;
    if (groups.local_bytes > device.local_memory_bytes)
      return fmt::format("a work-group has at most {} of local memory", format_bytes(device.local_memory_bytes));
    if (group_count(device, groups) > device.max_groups)
      return fmt::format("a dispatch has at most {} work-groups", device.max_groups);
    return std::nullopt;
  }

  Trial prepare(Device& device, const Point& point, std::uint64_t seed) const override {
    const GroupDemand groups = groups_of(point);
    const std::uint32_t count = group_count(device.info(), groups);
    const std::uint32_t invocations = count * groups.group_size;
    const DataWords words(seed);
    ValueRing ring{.starts = {}, .factor = kFactor};
    for (std::uint32_t i = 0; i < groups.values; ++i) ring.starts.push_back(words.word(i));
    const auto starts = buffer_of(device, ring.starts);
    const auto out = device.create(BufferDesc{invocations * sizeof(std::uint32_t)});
    const auto stamps = device.create(BufferDesc{count * sizeof(GroupStamp)});

    Trial trial;
    trial.timed.dispatch = {device.create(describe(groups)),
                            {{starts, nullptr}, {out, nullptr}, {stamps, nullptr}},
                            {{"loops", 0}, {"factor", kFactor}},
                            count};
    trial.timed.ops_per_loop = groups.values;
    trial.timed.max_loops = device.info().max_loop_iterations.value_or(UINT32_MAX) - 1;
    trial.timed.turn.emplace();  // no access: all values stay in registers
    trial.timed.verify = [out, ring, groups, invocations](Device& on, std::uint64_t loops) {
      const ValueRing::Sum sum = ring.sum(loops);
      const auto found = read_values<std::uint32_t>(on, *out, invocations);
      std::vector<std::uint32_t> right(groups.group_size);
      for (std::uint32_t lane = 0; lane < groups.group_size; ++lane) {
        const std::uint32_t neighbour = groups.local_bytes > 0 ? ring.starts[0] + (lane + 1) % groups.group_size : 0;
        right[lane] = sum.of_invocation(lane) + neighbour;
      }
      return check_invocations(
          found, [&](std::size_t i) { return right[i % groups.group_size]; }, loops, "turns");
    };
    trial.group_stamps = GroupStamps{stamps, 0, count};
    trial.repeatable = true;
    trial.samples = kSamples;
    trial.sample_ns = kSampleNs;
    observe_execution(trial, device);
    if (const auto code = device.code(*trial.timed.dispatch.kernel)) {
      if (const auto registers = code->statistics.find("Register Count"); registers != code->statistics.end())
        trial.observed[kObservedRegisters] = std::to_string(registers->second);
    }
    return trial;
  }

 private:
  static KernelDesc describe(const GroupDemand& groups) {
    const auto value = [](std::uint32_t i) { return fmt::format("v{}", i); };
    KernelDesc desc{
        .name = "residency",
        .definitions = {{"VALUES", std::to_string(groups.values)}},
        .local_size = groups.group_size,
        .bindings = {{"starts"}, {"out"}, {"stamps"}},
        .parameters = {{"loops", "turns in which every value changes"}, {"factor", "of a value in each turn"}},
        .texts = {
            {"DECLARE_VALUES",
             each_value(groups.values, " ", [](std::uint32_t i) { return fmt::format("uint v{0} = starts[{0}] + lane;", i); })},
            {"STEP_VALUES", each_value(groups.values, " ",
                                       [&](std::uint32_t i) {
                                         return fmt::format("v{0} = v{0} * p.factor + v{1};", i, (i + 1) % groups.values);
                                       })},
            {"SUM_OF_VALUES", each_value(groups.values, " + ", value)}}};
    if (groups.local_bytes > 0) desc.definitions["LOCAL_WORDS"] = std::to_string(groups.local_bytes / sizeof(std::uint32_t));
    return desc;
  }

  static std::uint64_t smallest(const DeviceInfo& device, const std::string& resource) {
    if (resource == residency_resource::kInvocations) return subgroup_size(device);
    return resource == residency_resource::kLocalMemory ? kLeastLocal : kValueGrid;
  }

  Point point_of(const DeviceInfo& device, const std::string& resource, std::uint64_t size) const {
    Point point{name(), {{parameter::kResource, resource}}};
    const bool registers = resource == residency_resource::kRegisters;
    point.parameters[parameter::kGroupSize] = (registers ? kRegisterSubgroups : 1) * subgroup_size(device);
    point.parameters[varies(resource)] = size;
    return point;
  }

  static const char* varies(const std::string& resource) {
    if (resource == residency_resource::kInvocations) return parameter::kGroupSize;
    return resource == residency_resource::kLocalMemory ? parameter::kLocalBytes : parameter::kValues;
  }

  /// The first grid; then, a few at a time, the sizes that tell the most about the unit.
  std::vector<std::uint64_t> sizes(const DeviceInfo& device, const std::string& resource,
                                   const std::vector<std::string>& resources, Preset preset,
                                   std::span<const PointResult> done) const {
    std::vector<std::uint64_t> all;
    if (resource == residency_resource::kInvocations) {
      for (const std::uint32_t subgroups : kSubgroups) all.push_back(std::uint64_t{subgroups} * subgroup_size(device));
      return all;
    }
    const bool local = resource == residency_resource::kLocalMemory;
    if (local) {
      all = octave_grid(kLeastLocal, device.local_memory_bytes, kLocalPerOctave, kLocalStep);
    } else {
      for (std::uint32_t values = kValueGrid; values <= kMostValues; values += kValueGrid) all.push_back(values);
    }
    if (preset == Preset::quick) return all;
    const auto most = most_groups(device, resources, done);
    if (!most) return all;
    std::size_t seen = 0;
    for (unsigned futile = 0; all.size() < kMostPoints;) {
      std::vector<ResidentCount> counts;
      std::set<std::uint64_t> demands;
      for (const std::uint64_t size : all) {
        const PointResult* result = result_of(point_of(device, resource, size), done);
        if (result == nullptr) return all;  // this generation is still to be measured
        if (const auto count = count_of(*result, size, local)) {
          counts.push_back(*count);
          demands.insert(count->demand);
        }
      }
      // A driver may give out registers in steps: the kernels that would decide more do not exist.
      futile = demands.size() == std::exchange(seen, demands.size()) ? futile + 1 : 0;
      if (futile == kMostFutile) return all;
      const auto more = local ? telling_local_sizes(device, counts, *most, all) : telling_values(counts, *most, all);
      if (more.empty()) return all;
      all.insert(all.end(), more.begin(), more.end());
    }
    return all;
  }

  static const PointResult* result_of(const Point& point, std::span<const PointResult> done) {
    const auto found = std::find_if(done.begin(), done.end(), [&](const PointResult& result) { return result.point == point; });
    return found == done.end() ? nullptr : &*found;
  }

  /// Empty if nothing was counted, or the registers of the kernel are unknown.
  static std::optional<ResidentCount> count_of(const PointResult& result, std::uint64_t size, bool local) {
    if (!result.measurement) return std::nullopt;
    const auto count = result.measurement->statistics.find(figures::kMostAtOnce);
    const auto demand = local ? std::optional(size) : registers_of(*result.measurement);
    if (count == result.measurement->statistics.end() || !demand) return std::nullopt;
    return ResidentCount{*demand, groups_of(result.point).group_size,
                         static_cast<std::uint64_t>(count->second.max.value_or(count->second.median))};
  }

  /// The most groups of any size, from the points of resource `invocations`; no limit if they are
  /// not planned; empty if they are still to be measured.
  std::optional<MostAtOnce> most_groups(const DeviceInfo& device, const std::vector<std::string>& resources,
                                        std::span<const PointResult> done) const {
    MostAtOnce most;
    if (std::find(resources.begin(), resources.end(), residency_resource::kInvocations) == resources.end()) return most;
    for (const std::uint64_t size : sizes(device, residency_resource::kInvocations, resources, Preset::quick, done)) {
      const Point point = point_of(device, residency_resource::kInvocations, size);
      if (unsupported(device, point)) continue;
      const PointResult* result = result_of(point, done);
      if (result == nullptr) return std::nullopt;
      if (const auto count = count_of(*result, size, true)) {
        most.groups = std::max(most.groups.value_or(0), count->groups);
        most.invocations = std::max(most.invocations.value_or(0), count->groups * count->group_size);
      }
    }
    return most;
  }

  static std::uint64_t highest(const std::vector<ResidentCount>& counts) {
    std::uint64_t most = 0;
    for (const ResidentCount& count : counts) most = std::max(most, count.groups);
    return most;
  }

  static std::vector<std::uint64_t> telling_local_sizes(const DeviceInfo& device, const std::vector<ResidentCount>& counts,
                                                        const MostAtOnce& most, const std::vector<std::uint64_t>& known) {
    std::vector<std::uint64_t> sizes;
    for (std::uint64_t size = kLeastLocal; size <= device.local_memory_bytes; size += kLocalStep) {
      if (std::find(known.begin(), known.end(), size) == known.end()) sizes.push_back(size);
    }
    return telling_local_demands(counts, most.groups.value_or(highest(counts)), sizes);
  }

  /// A kernel has a few registers more than values; how many shows only once it is compiled.
  static std::vector<std::uint64_t> telling_values(const std::vector<ResidentCount>& counts, const MostAtOnce& most,
                                                   const std::vector<std::uint64_t>& known) {
    if (counts.size() < known.size()) return {};
    std::vector<std::uint64_t> surplus;
    for (std::size_t i = 0; i < known.size(); ++i) surplus.push_back(counts[i].demand - std::min(counts[i].demand, known[i]));
    std::sort(surplus.begin(), surplus.end());
    const std::uint64_t usual = surplus[surplus.size() / 2];
    std::vector<std::uint64_t> demands;
    for (std::uint64_t values = kValueGrid; values <= kMostValues; ++values) {
      if (std::find(known.begin(), known.end(), values) == known.end()) demands.push_back(values + usual);
    }
    std::uint64_t groups = most.groups.value_or(highest(counts));
    if (most.invocations) groups = std::min(groups, *most.invocations / counts.front().group_size);
    auto chosen = telling_register_demands(counts, groups, demands);
    for (std::uint64_t& each : chosen) each -= usual;
    return chosen;
  }
};

const RegisterExperiment registered(std::make_unique<ResidencyExperiment>());

}  // namespace
}  // namespace percycle::residency_experiment
