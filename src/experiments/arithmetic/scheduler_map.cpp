#include <algorithm>
#include <string>
#include <vector>

#include "core/figures.hpp"
#include "experiments/arithmetic/parts/instruction_stream.hpp"
#include "experiments/common/execution_mode.hpp"
#include "experiments/experiment.hpp"

namespace percycle::scheduler_map_experiment {
namespace {

constexpr const char* kFirst = "first";
constexpr const char* kSecond = "second";
constexpr const char* kCount = "subgroups";

// Enough independent steps for one subgroup to fill its scheduler: latencies go up to 9 cycles.
constexpr std::uint32_t kChains = 8;
constexpr std::uint32_t kSubgroups = 8;  // of the T4 report
constexpr std::uint32_t kSubgroupsOfFull = 16;

const NumberParameter kCounts{kCount, "subgroups of the work-group; auto: 8 (full: 16)", 64};

/// Jia et al., Dissecting the NVidia Turing T4 GPU, section 2.2 and table 2.1.
class SchedulerMap final : public Experiment {
 public:
  std::string name() const override { return "scheduler-map"; }

  Presentation presentation() const override {
    return {.title = "Schedulers of a unit",
            .question = "How many schedulers does a unit have, and which subgroups of a work-group share one?",
            .method =
                "Two subgroups of a work-group repeat fused multiply-adds of 32 bits. The others wait. "
                "Two subgroups that share a scheduler reach a lower rate than two that do not. "
                "A point with the same number twice measures one subgroup alone.",
            .metric = "rate of two subgroups: results per unit and cycle",
            .operation = "result",
            .order = 430,
            .map = PairMap::subgroups,
            .grids = {{.name = "schedulers",
                       .title = "Results per unit and cycle of two subgroups",
                       .x = kFirst,
                       .x_title = "subgroup",
                       .y = kSecond,
                       .y_title = "and subgroup",
                       .figures = {figures::kOpsPerUnitCycle, figures::kGopsPerS},
                       .symmetric = true}},
            .words = {{kCount, "", "{} in the work-group"}}};
  }

  std::vector<ParameterSpec> parameters() const override { return {kCounts, kSubgroupSize, kWgpMode}; }

  std::vector<Point> plan(const DeviceInfo& device, const Options& options,
                          std::span<const PointResult> /*done*/) const override {
    const std::uint32_t count = subgroup_count(device, options);
    std::vector<Point> points;
    const auto add = [&](std::uint32_t first, std::uint32_t second) {
      Point point{name(), {{kFirst, first}, {kSecond, second}, {kCount, count}}};
      require_execution_mode(point, options);
      points.push_back(std::move(point));
    };
    add(0, 0);
    for (std::uint32_t first = 0; first < count; ++first) {
      for (std::uint32_t second = first + 1; second < count; ++second) add(first, second);
    }
    // One point says why the device is unsupported.
    if (unsupported(device, points.front())) points.resize(1);
    return points;
  }

  std::optional<std::string> unsupported(const DeviceInfo& device, const Point& point) const override {
    if (auto reason = wgp_mode_unsupported(device, point)) return reason;
    if (device.type == DeviceType::cpu) return "a CPU runs the subgroups of a work-group one after the other";
    if (number(point, kCount) < 2) return "a work-group holds one subgroup only";
    return instruction_stream_unsupported(device, stream_of(device, point));
  }

  Trial prepare(Device& device, const Point& point, std::uint64_t /*seed*/) const override {
    return instruction_stream_trial(device, stream_of(device.info(), point));
  }

 private:
  static std::uint32_t subgroup_count(const DeviceInfo& device, const Options& options) {
    if (const auto wanted = options[kCounts]) return *wanted;
    const auto required = options[kSubgroupSize];
    const std::uint32_t most = largest_group(device, required) / stream_lanes(device, required);
    return std::min(options.preset == Preset::full ? kSubgroupsOfFull : kSubgroups, std::max(most, 1u));
  }

  static InstructionStream stream_of(const DeviceInfo& device, const Point& point) {
    const auto subgroup_size = required_subgroup_size(point);
    return {.operation = find_stream_operation("fp32-fma"),
            .chains = kChains,
            .pair = std::pair(number<std::uint32_t>(point, kFirst), number<std::uint32_t>(point, kSecond)),
            .group_size = number<std::uint32_t>(point, kCount) * stream_lanes(device, subgroup_size),
            .subgroup_size = subgroup_size};
  }
};

const RegisterExperiment registered(std::make_unique<SchedulerMap>());

}  // namespace
}  // namespace percycle::scheduler_map_experiment
