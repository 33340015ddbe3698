#include "expected/queues.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "core/figures.hpp"
#include "device/values.hpp"
#include "experiments/bandwidth/parts/unit_bandwidth.hpp"
#include "experiments/common/execution_mode.hpp"
#include "experiments/common/invocation_words.hpp"
#include "experiments/common/max_loops.hpp"
#include "experiments/common/product.hpp"
#include "experiments/experiment.hpp"

namespace percycle::queues_experiment {
namespace {

constexpr const char* kTest = "test";
constexpr const char* kQueues = "queues";

constexpr const char* kPair = "pair";
constexpr const char* kWait = "wait";

constexpr const char* kOneQueue = "one";
constexpr const char* kUnordered = "unordered";
constexpr const char* kTwo = "two";
constexpr const char* kFamilies = "families";

constexpr std::uint32_t kLanes = 256;
constexpr std::uint64_t kMostQueued = 256;  // every driver holds as many submissions
/// Launches of a pair, with the one alone before it.
constexpr std::uint64_t kLaunchesOfPair = 3;

const WordsParameter kTests{
    kTest,
    {kPair, kWait},
    "pair: two kernels that may overlap, each on half of the units; wait: launches of which each waits for "
    "the one before, on the queues in turn"};
const WordsParameter kKinds{
    kQueues,
    {kOneQueue, kUnordered, kTwo, kFamilies},
    ParameterSpec::kAutomatic,
    "one; unordered: an out-of-order queue (OpenCL); two; families: two of two families (Vulkan); auto: all of the API"};

LaunchQueues queues_of(const Point& point) {
  const std::string& kind = word(point, kQueues);
  if (kind == kUnordered) return LaunchQueues::unordered;
  if (kind == kTwo) return LaunchQueues::two;
  return kind == kFamilies ? LaunchQueues::families : LaunchQueues::one;
}

/// Work-groups of a kernel: one for each unit of a half.
std::uint32_t groups_of(const DeviceInfo& device) { return std::max(all_units(device) / 2, 1u); }

std::uint32_t lanes_of(const DeviceInfo& device) { return std::min(kLanes, device.max_group_size); }

/// Two launches at once, and launches that wait across queues (docs/experiments/units.md).
class Queues final : public Experiment {
 public:
  std::string name() const override { return "queues"; }

  Presentation presentation() const override {
    return {.title = "Queues",
            .question = "Do two kernels run at the same time, through one queue or through two, and what does a wait cost?",
            .method =
                "Two launches of a kernel of dependent arithmetic, each with a work-group for every second unit. `overlap` is "
                "the time that both take alone, divided by the time that they take together: 1 if they run one after the "
                "other, 2 if side by side. `fairness` is the shorter of their two times divided by the longer. In test wait each "
                "launch waits for the one before, on the other queue; `net` is the time that this adds to a launch in one queue.",
            .metric = "test pair: ns per turn of both loops, overlap and fairness; test wait: time of one launch: ns",
            .operation = "turn",
            .order = 262,
            .bars = {{.name = "overlap", .title = "Overlap of two kernels", .y = {figures::kOverlap}},
                     {.name = "wait", .title = "Cost of a wait between two queues", .y = {figures::kNetNsPerOp}}}};
  }

  std::vector<ParameterSpec> parameters() const override { return {kTests, kKinds}; }

  std::vector<Point> plan(const DeviceInfo& device, const Options& options, std::span<const PointResult>) const override {
    const bool vulkan = device.api == Api::vulkan;
    std::vector<std::string> automatic{kOneQueue, kTwo};
    if (device.api == Api::opencl) automatic.insert(automatic.begin() + 1, kUnordered);
    if (vulkan) automatic.emplace_back(kFamilies);
    const auto kinds = options.words_or(kKinds, automatic);
    return product({name(), {}}, {{kTest, options[kTests]}, {kQueues, kinds}});
  }

  std::optional<std::string> unsupported(const DeviceInfo& device, const Point& point) const override {
    if (device.units && device.units->value < 2 && word(point, kTest) == kPair) return "the device has only one unit";
    return group_unsupported(device, lanes_of(device), std::nullopt);
  }

  Trial prepare(Device& device, const Point& point, std::uint64_t /*seed*/) const override {
    const LaunchQueues queues = queues_of(point);
    Trial trial;
    if (word(point, kTest) == kPair) {
      trial.timed = looped(device, {.queues = queues});
      return trial;
    }
    trial.timed = looped(device, {.queues = queues, .waits = true});
    if (queues != LaunchQueues::one) trial.control = looped(device, {.queues = LaunchQueues::one, .waits = true}, 0);
    return trial;
  }

 private:
  /// `more`: launches that wait, beyond the loop count.
  static LoopedDispatch looped(Device& device, const QueuedLaunches& launches, std::uint64_t more = 1) {
    const std::uint32_t lanes = lanes_of(device.info());
    const std::uint32_t groups = groups_of(device.info());
    const std::vector<std::uint32_t> zeros(std::size_t{groups} * lanes);
    const auto sums = buffer_of(device, zeros);
    KernelDesc desc{.name = "queues",
                    .local_size = lanes,
                    .bindings = {{"sums"}},
                    .parameters = {{"loops", "turns of 32 multiply-adds"}, {"multiply", ""}, {"add", ""}}};
    if (launches.waits) desc.definitions["ORDERED"] = "1";
    LoopedDispatch looped;
    looped.dispatch = {
        device.create(desc), {{sums, nullptr}}, {{"loops", 0}, {"multiply", kQueuesMultiply}, {"add", kQueuesAdd}}, groups};
    looped.queued = launches;
    looped.turn.emplace();
    looped.max_loops = launches.waits ? kMostQueued - 1 : max_loops(device.info(), 0);
    if (launches.waits) looped.loops_parameter.clear();
    looped.verify = [sums, zeros, more, waits = launches.waits](Device& on, std::uint64_t loops) {
      const auto found = read_values<std::uint32_t>(on, *sums, zeros.size());
      write_values(on, *sums, zeros);
      const std::uint64_t all = waits ? std::max<std::uint64_t>(loops + more, 1) : kLaunchesOfPair;
      return check_invocations(
          found, [&](std::uint32_t i) { return waits ? queues_ordered(i, all) : queues_sum(i, loops, all); }, all, "launches");
    };
    return looped;
  }
};

const RegisterExperiment registered(std::make_unique<Queues>());

}  // namespace
}  // namespace percycle::queues_experiment
