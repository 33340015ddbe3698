#include "expected/branches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/figures.hpp"
#include "device/values.hpp"
#include "experiments/common/execution_mode.hpp"
#include "experiments/common/max_loops.hpp"
#include "experiments/common/product.hpp"
#include "experiments/experiment.hpp"

namespace percycle::branches_experiment {
namespace {

constexpr const char* kDepth = "depth";            // branches inside each other
constexpr const char* kOperations = "operations";  // of a side
constexpr const char* kShare = "share";            // of the lanes, that take the first side
constexpr const char* kPattern = "pattern";

constexpr const char* kNone = "no lane";
constexpr const char* kOne = "one lane";
constexpr const char* kQuarter = "1/4";
constexpr const char* kHalf = "1/2";
constexpr const char* kThreeQuarters = "3/4";
constexpr const char* kAllButOne = "all lanes but one";
constexpr const char* kAll = "all lanes";

constexpr const char* kContiguous = "contiguous";
constexpr const char* kAlternating = "alternating";

const std::vector<const char*> kShares{kNone, kOne, kQuarter, kHalf, kThreeQuarters, kAllButOne, kAll};

constexpr std::uint32_t kNever = 0;     // no lane starts with it
constexpr std::uint32_t kCpuLanes = 8;  // of a work-group where a CPU has no subgroups
constexpr std::uint32_t kStartWord = 0x2545f491u;
constexpr std::uint32_t kAlways = UINT32_MAX;  // a condition that holds in every turn

std::uint32_t lane_count(const DeviceInfo& device, const Point& point) {
  if (const auto required = required_subgroup_size(point)) return *required;
  return device.subgroup_sizes.empty() ? kCpuLanes : device.subgroup_sizes.front();
}

/// The size that the kernel requires, so that the work-group is one subgroup.
std::optional<std::uint32_t> kernel_subgroup_size(const DeviceInfo& device, const Point& point) {
  return device.subgroup_size_control ? std::optional(lane_count(device, point)) : std::nullopt;
}

/// Lanes that take the first side.
std::uint32_t first_lanes(const std::string& share, std::uint32_t lanes) {
  if (share == kNone) return 0;
  if (share == kOne) return 1;
  if (share == kQuarter) return lanes / 4;
  if (share == kHalf) return lanes / 2;
  if (share == kThreeQuarters) return lanes / 4 * 3;
  return share == kAllButOne ? lanes - 1 : lanes;
}

/// The side of a lane. Nested branches that halve their lanes give each side equally many
/// neighbouring lanes.
std::uint32_t side_of(const Point& point, std::uint32_t lane, std::uint32_t lanes) {
  const BranchSides sides{.depth = number<std::uint32_t>(point, kDepth)};
  if (word(point, kPattern) == kAlternating) return lane % sides.count();
  const std::string& share = word(point, kShare);
  if (sides.depth > 1 && share == kHalf) return lane * sides.count() / lanes;
  return lane < first_lanes(share, lanes) ? sides.count() - 1 : 0;
}

class Branches final : public Experiment {
 public:
  std::string name() const override { return "branches"; }

  Presentation presentation() const override {
    return {.title = "Branches",
            .question = "How many cycles does a branch take if the lanes of a subgroup do not agree?",
            .method =
                "One subgroup runs a loop with a branch on a value that each lane reads from memory. "
                "Both sides are equally long chains of dependent operations. "
                "`net` is the time of a turn minus that of a loop that only adds up the conditions. "
                "The cost of divergence is the ratio to a point at which all lanes take one side. "
                "A note says whether the machine code has branches.",
            .metric = "cycles per run of the branch",
            .operation = "branch",
            .order = 415,
            .curves = {{.name = "branches",
                        .title = "Cycles per run of a branch by the length of a side",
                        .x = kOperations,
                        .x_title = "dependent operations of a side",
                        .y = {figures::kNetCyclesPerOp, figures::kNetNsPerOp},
                        .split = {kDepth}}}};
  }

  std::vector<ParameterSpec> parameters() const override { return {kSubgroupSize, kWgpMode}; }

  std::vector<Point> plan(const DeviceInfo& device, const Options& options,
                          std::span<const PointResult> /*done*/) const override {
    const bool quick = options.preset == Preset::quick;
    Point base{name(), {}};
    require_execution_mode(base, options);
    std::vector<Point> points;
    const auto add = [&](std::uint32_t depth, const std::vector<std::uint32_t>& lengths, const std::vector<const char*>& shares,
                         const char* pattern) {
      append(points,
             product(base,
                     {{kDepth, std::array{depth}}, {kOperations, lengths}, {kShare, shares}, {kPattern, std::array{pattern}}}));
    };
    const std::vector<std::uint32_t> few{4, 64};
    const std::vector<const char*> ends{kAll, kHalf};
    if (quick) {
      add(1, few, {kAll, kOne, kHalf}, kContiguous);
      add(kDeepestBranches, {few.back()}, ends, kContiguous);
    } else {
      const std::vector<std::uint32_t> lengths{2, 4, 16, 64};
      add(1, lengths, kShares, kContiguous);
      add(1, lengths, {kHalf}, kAlternating);
      for (std::uint32_t depth = 2; depth <= kDeepestBranches; ++depth) add(depth, few, ends, kContiguous);
    }
    // One point says why the device is unsupported.
    if (unsupported(device, points.front())) points.resize(1);
    return points;
  }

  std::optional<std::string> unsupported(const DeviceInfo& device, const Point& point) const override {
    if (auto reason = wgp_mode_unsupported(device, point)) return reason;
    if (device.subgroup_sizes.empty() && device.type != DeviceType::cpu)
      return "the driver does not report the size of a subgroup";
    const std::uint32_t lanes = lane_count(device, point);
    if (lanes < 1u << kDeepestBranches) return fmt::format("a subgroup of {} lanes is too small for these shares", lanes);
    return group_unsupported(device, lanes, required_subgroup_size(point));
  }

  Trial prepare(Device& device, const Point& point, std::uint64_t /*seed*/) const override {
    const std::uint32_t lanes = lane_count(device.info(), point);
    std::vector<std::uint32_t> starts;
    std::vector<std::uint32_t> lane_sides;
    std::vector<std::uint32_t> words;
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      starts.push_back(kStartWord + lane);
      lane_sides.push_back(side_of(point, lane, lanes));
      for (std::uint32_t level = 0; level < kDeepestBranches; ++level)
        words.push_back((lane_sides.back() >> level & 1u) != 0 ? kAlways : 0);
    }
    const auto start_buffer = buffer_of(device, starts);
    const auto word_buffer = buffer_of(device, words);
    const auto looped = [&](std::uint32_t operations) {
      const BranchSides sides{.depth = number<std::uint32_t>(point, kDepth), .operations = operations};
      const auto out = result_buffer(device, std::uint64_t{lanes} * sizeof(std::uint64_t));
      LoopedDispatch made;
      made.dispatch = {device.create(KernelDesc{
                           .name = "branches",
                           .definitions = {{"DEPTH", std::to_string(sides.depth)}, {"OPERATIONS", std::to_string(operations)}},
                           .local_size = lanes,
                           .bindings = {{"starts"}, {"words"}, {"out"}},
                           .parameters = {{"loops", "turns of the timed loop"},
                                          {"and_mask", "all bits but the lowest"},
                                          {"or_mask", "the lowest bit"},
                                          {"never", "a value that no lane starts with: makes later instructions wait"}},
                           .subgroup_size = kernel_subgroup_size(device.info(), point),
                           .texts = {{"TURN", sides.text()}}}),
                       {{start_buffer, nullptr}, {word_buffer, nullptr}, {out, nullptr}},
                       {{"loops", 0}, {"and_mask", kBranchAndMask}, {"or_mask", kBranchOrMask}, {"never", kNever}},
                       1};
      made.max_loops = max_loops(device.info(), 0);
      made.turn.emplace();
      if (operations > 0)
        made.arithmetic = {.name = "operation", .count = std::uint64_t{sides.count()} * operations, .branches = sides.branches()};
      made.verify = [out, starts, lane_sides, sides](Device& on, std::uint64_t loops) {
        const auto ends = read_results<std::uint64_t>(on, *out, starts.size());
        for (std::size_t lane = 0; lane < ends.size(); ++lane) {
          const std::uint32_t expected = sides.end(starts[lane], lane_sides[lane], loops);
          if (ends[lane] == expected) continue;
          return Outcome{Status::invalid, fmt::format("lane {} ended with {:#x} instead of {:#x} after {} turns", lane,
                                                      ends[lane], expected, loops)};
        }
        return Outcome{};
      };
      return std::pair(std::move(made), ClockReadings{out, 0});
    };
    Trial trial;
    std::tie(trial.timed, trial.clocks) = looped(number<std::uint32_t>(point, kOperations));
    std::tie(trial.control, trial.control_clocks) = looped(0);
    trial.repeatable = true;
    observe_execution(trial, device);
    return trial;
  }
};

const RegisterExperiment registered(std::make_unique<Branches>());

}  // namespace
}  // namespace percycle::branches_experiment
