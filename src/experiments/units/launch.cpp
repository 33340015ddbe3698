#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/data_words.hpp"
#include "core/figures.hpp"
#include "core/units.hpp"
#include "device/values.hpp"
#include "experiments/chases/parts/latency.hpp"
#include "experiments/common/fill.hpp"
#include "experiments/common/product.hpp"
#include "experiments/common/result_sums.hpp"
#include "experiments/common/sweep.hpp"
#include "experiments/experiment.hpp"
#include "platform/all_cores.hpp"

namespace percycle::launch_experiment {
namespace {

constexpr const char* kTest = "test";
constexpr const char* kGroupSize = "group_size";
constexpr const char* kLocalBytes = "local_bytes";
constexpr const char* kFootprint = "footprint";

constexpr const char* kWidth = "width";

constexpr const char* kRoundTrip = "round-trip";
constexpr const char* kFirst = "first-instruction";
constexpr const char* kLast = "last-instruction";
constexpr const char* kDependent = "dependent";
constexpr const char* kIndependent = "independent";
constexpr const char* kBarrier = "barrier";
constexpr const char* kIndirect = "indirect";
constexpr const char* kGroups = "groups";
constexpr const char* kAxpy = "axpy";

constexpr std::uint32_t kMostLaunches = 4096;  // a queue of any driver holds them
constexpr std::uint32_t kGroupsPerLoop = 256;
constexpr std::uint64_t kMostGroups = 1 << 20;  // the host reads and clears all marks
constexpr std::uint32_t kAxpyGroup = 256;
constexpr std::uint64_t kVectorBytes = 16;
constexpr std::uint64_t kCountersBytes = 32;  // a count of launches and two of the clock
constexpr std::uint64_t kSmallestAxpy = 2 * kVectorBytes * kAxpyGroup;
constexpr std::array kAxpyWidths{4u, 8u, 16u};  // bytes of a load
constexpr std::uint32_t kFactor = 0x2c9277b5;

const WordsParameter kTests{
    kTest,
    {kRoundTrip, kFirst, kLast, kDependent, kIndependent, kBarrier, kIndirect, kGroups, kAxpy},
    "round-trip: one launch per submission; first-instruction, last-instruction: the parts of a round trip before and after "
    "the kernel runs; dependent: each launch sees the writes of the one before; independent: launches may overlap; barrier: "
    "as independent, with a barrier between two launches; indirect: as dependent, and the device reads the number of "
    "work-groups from its memory; groups: work-groups of one launch; axpy: dependent launches over arrays of growing size"};
const BytesParameter kMaxFootprint{"max_footprint", "test axpy: largest size of both arrays; auto: 64 MiB, on CPUs 4 MiB"};

/// The words of one of the arrays of `axpy`.
ResultWords axpy_words(std::uint64_t footprint) {
  const auto words = static_cast<std::uint32_t>(footprint / 2 / sizeof(std::uint32_t));
  return {.words = words, .stride = words};
}

/// The sum of each block of an array that kernel pair `fill` wrote.
std::vector<std::uint32_t> sums_of(const ResultWords& shape, const DataWords& data) {
  std::vector<std::uint32_t> words(shape.words);
  on_all_cores(words.size() / kResultBlock, [&](std::size_t block) {
    for (std::size_t i = block * kResultBlock; i < (block + 1) * kResultBlock; ++i) words[i] = data.word(i);
  });
  return result_sums(shape, words);
}

/// Checks sums of blocks of y, because the GPU's clock falls while the host compares all words.
/// Launches add multiples of x to y, and each check leaves the complement, -1 - y.
class AxpyCheck {
 public:
  AxpyCheck(Device& device, const std::shared_ptr<Buffer>& y, const DataWords& of_x, const DataWords& of_y)
      : shape_(axpy_words(2 * y->bytes())), of_x_(of_x), of_y_(of_y), sums_(device, shape_, y) {}

  Outcome operator()(Device& device, std::uint64_t loops) {
    // A trial that only compiles its kernels does not need them.
    if (sums_of_y_.empty()) {
      sums_of_x_ = sums_of(shape_, of_x_);
      sums_of_y_ = sums_of(shape_, of_y_);
    }
    times_x_ += static_cast<std::uint32_t>(loops + 1) * kFactor;
    constexpr std::uint32_t kSumOfOnes = kResultBlock * kResultBlock;  // the sum of the odd factors
    const std::vector<std::uint32_t> found = sums_(device);
    for (std::size_t block = 0; block < found.size(); ++block) {
      const std::uint32_t right = times_x_ * sums_of_x_[block] + times_y_ * sums_of_y_[block] + ones_ * kSumOfOnes;
      if (found[block] != right) {
        return {Status::invalid, fmt::format("block {} adds up to {:#x} instead of {:#x} after {} launches", block, found[block],
                                             right, loops + 1)};
      }
    }
    times_x_ = -times_x_;
    times_y_ = -times_y_;
    ones_ = ~ones_;
    return {};
  }

 private:
  ResultWords shape_;
  DataWords of_x_;
  DataWords of_y_;
  ResultSums sums_;
  std::vector<std::uint32_t> sums_of_x_;
  std::vector<std::uint32_t> sums_of_y_;
  // Each word is now times_x_ * x + times_y_ * y + ones_, modulo 2^32.
  std::uint32_t times_x_ = 0;
  std::uint32_t times_y_ = 1;
  std::uint32_t ones_ = 0;
};

/// Launches of kernels that do almost nothing (docs/experiments/units.md).
class LaunchCosts final : public Experiment {
 public:
  std::string name() const override { return "launch"; }

  Presentation presentation() const override {
    const auto figure = [](const char* test, const char* key, const char* words) {
      return SummaryFigure{.line = "launches", .only = {{kTest, test}}, .figure = figures::kNsPerOp, .key = key, .words = words};
    };
    return {.title = "Cost of launches",
            .question = "How long does a launch take, alone and among others, and how fast do work-groups start?",
            .method =
                "The kernels do almost nothing. The host times round trips, one launch after the other; the kernel's clock, "
                "which the driver relates to the host's, splits them at the first and last instruction. The other launches go "
                "into one submission. The time of one launch is subtracted, so fixed costs do not count. Every work-group adds "
                "to a counter or leaves a mark, and the host checks all of them.",
            .metric = "time of one launch: ns; test groups: 1e9 work-groups started per second",
            .operation = "launch",
            .order = 260,
            .sizes = {kFootprint},
            .curves = {{.name = "launch-array",
                        .title = "Time of one y = a x + y by the size of both arrays, launches in one submission",
                        .only = {{kTest, kAxpy}},
                        .only_named = true,
                        .x = kFootprint,
                        .x_title = "bytes of both arrays",
                        .x_scale = AxisScale::bytes,
                        .y = {figures::kNsPerOp},
                        .y_scale = AxisScale::doubled},
                       {.name = "launch-groups",
                        .title = "Work-groups started by their size",
                        .only = {{kTest, kGroups}},
                        .only_named = true,
                        .x = kGroupSize,
                        .x_title = "invocations of a work-group",
                        .y = {figures::kGopsPerS}}},
            .bars = {{.y = {figures::kNsPerOp}, .without = {kGroupSize}}},
            .summary = {figure(kRoundTrip, "round trip", "round trip of an empty launch"),
                        figure(kDependent, "dependent launch", "time of a launch that waits for another")},
            .fixed_cost = {.only = {{kTest, kAxpy}}, .size = kFootprint, .each = kWidth, .cost = "launch"}};
  }

  std::vector<ParameterSpec> parameters() const override { return {kTests, kMaxFootprint}; }

  std::vector<Point> plan(const DeviceInfo& device, const Options& options, std::span<const PointResult>) const override {
    std::vector<Point> points;
    for (const std::string& test : options[kTests]) {
      std::vector<Point> some;
      if (test == kGroups) {
        add_groups(some, device, options.preset);
      } else if (test == kAxpy) {
        add_axpy(some, device, options);
      } else {
        some.push_back({name(), {{kTest, test}}});
      }
      // The first point has the smallest demands: one point reports that none is possible.
      if (unsupported(device, some.front())) some.resize(1);
      append(points, some);
    }
    return points;
  }

  std::optional<std::string> unsupported(const DeviceInfo& device, const Point& point) const override {
    const std::string& test = word(point, kTest);
    if (!device.model.empty() && test != kRoundTrip && test != kDependent)
      return "simulated devices model only dependent launches and round trips";
    if ((test == kFirst || test == kLast) && !(device.device_clock && device.device_clock->tick_ns))
      return "kernels cannot read a device-wide clock with a known unit";
    if (test == kIndirect && device.api == Api::opencl) return "OpenCL has no indirect launches";
    if (test == kBarrier && device.api == Api::vulkan) return "dependent launches have barriers through Vulkan";
    if (const std::uint64_t size = number_or(point, kGroupSize, std::uint64_t{0}); size > device.max_group_size)
      return fmt::format("a work-group has at most {} invocations", device.max_group_size);
    if (number_or(point, kLocalBytes, std::uint64_t{0}) > device.local_memory_bytes)
      return fmt::format("a work-group has at most {} of local memory", format_bytes(device.local_memory_bytes));
    if (test != kAxpy) return std::nullopt;
    if (axpy_groups(point) > device.max_groups) return fmt::format("a dispatch has at most {} work-groups", device.max_groups);
    return result_unsupported(device, axpy_words(number(point, kFootprint)));
  }

  Trial prepare(Device& device, const Point& point, std::uint64_t seed) const override {
    const std::string& test = word(point, kTest);
    if (test == kGroups) return groups_trial(device, point);
    if (test == kAxpy) return axpy_trial(device, point, seed);
    return count_trial(device, test);
  }

 private:
  static std::uint64_t axpy_groups(const Point& point) {
    return number(point, kFootprint) / (number(point, kWidth) * 2 * kAxpyGroup);
  }

  void add_groups(std::vector<Point>& points, const DeviceInfo& device, Preset preset) const {
    const auto add = [&](std::uint64_t size, std::uint64_t local) {
      if (size > device.max_group_size && !points.empty()) return;
      points.push_back({name(), {{kTest, kGroups}, {kGroupSize, size}, {kLocalBytes, local}}});
    };
    const std::vector<std::uint64_t> sizes =
        preset == Preset::quick ? std::vector<std::uint64_t>{32, 256} : std::vector<std::uint64_t>{32, 64, 128, 256, 512, 1024};
    for (const std::uint64_t size : sizes) add(size, 0);
    if (preset == Preset::quick) return;
    for (const std::uint64_t local : {4 * kKiB, 16 * kKiB, 48 * kKiB}) {
      if (local <= device.local_memory_bytes) add(128, local);
    }
  }

  void add_axpy(std::vector<Point>& points, const DeviceInfo& device, const Options& options) const {
    const std::uint64_t most = options[kMaxFootprint].value_or((device.type == DeviceType::gpu ? 64 : 4) * kMiB);
    if (most < kSmallestAxpy) throw options.refusal(kMaxFootprint, "launch begins at " + format_bytes(kSmallestAxpy));
    const std::uint64_t largest = std::min(
        {most, 2 * chase_capacity(device, "global-index"), 2 * device.max_groups * kResultBlock * sizeof(std::uint32_t)});
    const auto octaves = octave_grid(kSmallestAxpy, largest, 1, kSmallestAxpy);
    const auto footprints = options.preset == Preset::full ? octaves : every_second(octaves);
    append(points, product({name(), {{kTest, kAxpy}}}, {{kWidth, kAxpyWidths}, {kFootprint, footprints}}));
  }

  static KernelDesc describe(const char* form, std::uint32_t local_size, std::uint64_t local_bytes = 0) {
    KernelDesc desc{.name = "launch",
                    .local_size = local_size,
                    .bindings = {{"x"}, {"y"}},
                    .parameters = {{"factor", "of x, or the first mark"}}};
    if (form != nullptr) desc.definitions[form] = "1";
    if (local_bytes > 0) desc.definitions["LOCAL_WORDS"] = std::to_string(local_bytes / sizeof(std::uint32_t));
    return desc;
  }

  static Trial count_trial(Device& device, const std::string& test) {
    const auto counter = device.create(BufferDesc{kCountersBytes});
    const std::vector<std::byte> zeros(kVectorBytes);
    device.write(*counter, 0, zeros);
    const auto unused = device.create(BufferDesc{kVectorBytes});
    Trial trial;
    const bool is_part = test == kFirst || test == kLast;
    trial.timed.dispatch = {
        device.create(describe(is_part ? "STAMP" : "COUNT", 1)), {{unused, nullptr}, {counter, nullptr}}, {{"factor", 0}}, 1};
    trial.timed.max_loops = kMostLaunches;
    trial.timed.loops_parameter.clear();
    const bool waits = is_part || test == kRoundTrip;
    trial.timed.round_trips = waits;
    if (is_part) trial.timed.trip_part = TripPart{.clocks = {.buffer = counter}, .is_before_kernel = test == kFirst};
    if (!waits)
      trial.timed.launches =
          Launches{.dependent = test != kIndependent, .indirect = test == kIndirect, .barriers = test == kBarrier};
    trial.timed.verify = [counter, zeros, waits](Device& on, std::uint64_t loops) {
      std::uint32_t counted = 0;
      on.read(*counter, 0, std::as_writable_bytes(std::span(&counted, 1)));
      on.write(*counter, 0, zeros);
      const std::uint64_t expected = waits ? loops : loops + 1;
      if (counted == expected) return Outcome{};
      return Outcome{Status::invalid, fmt::format("{} launches ran instead of {}", counted, expected)};
    };
    return trial;
  }

  static Trial groups_trial(Device& device, const Point& point) {
    const auto size = number<std::uint32_t>(point, kGroupSize);
    const auto local = number(point, kLocalBytes);
    const std::uint64_t most = std::min(device.info().max_groups, kMostGroups) / kGroupsPerLoop;
    const auto marks = device.create(BufferDesc{kMostGroups * sizeof(std::uint32_t)});
    const auto unused = device.create(BufferDesc{kVectorBytes});
    Trial trial;
    trial.timed.dispatch = {
        device.create(describe("MARK", size, local)), {{unused, nullptr}, {marks, nullptr}}, {{"factor", 0}}, 1};
    trial.timed.loops_parameter = "factor";  // so that each run leaves different marks
    trial.timed.max_loops = most;
    trial.timed.groups_per_loop = kGroupsPerLoop;
    trial.timed.ops_per_loop = kGroupsPerLoop;
    trial.timed.verify = [marks](Device& on, std::uint64_t loops) {
      const auto found = read_values<std::uint32_t>(on, *marks, std::max<std::uint64_t>(loops * kGroupsPerLoop, 1));
      for (std::size_t group = 0; group < found.size(); ++group) {
        const auto expected = static_cast<std::uint32_t>(loops + group);
        if (found[group] != expected)
          return Outcome{Status::invalid, fmt::format("work-group {} left {} instead of {}", group, found[group], expected)};
      }
      // Marks of this run must differ from the marks of a later one.
      write_values(on, *marks, std::vector<std::uint32_t>(found.size(), ~0u));
      return Outcome{};
    };
    trial.participants = Participants{.dispatch = 1, .group = 1};
    trial.repeatable = true;
    return trial;
  }

  static Trial axpy_trial(Device& device, const Point& point, std::uint64_t seed) {
    const auto footprint = number(point, kFootprint);
    const DataWords of_x(seed);
    const DataWords of_y(seed + 1);
    const auto x = device.create(BufferDesc{footprint / 2});
    const auto y = device.create(BufferDesc{footprint / 2});
    Trial trial;
    trial.setup = fill(device, x, of_x);
    std::ranges::move(fill(device, y, of_y), std::back_inserter(trial.setup));
    KernelDesc desc = describe(nullptr, kAxpyGroup);
    desc.definitions["WIDTH"] = std::to_string(number(point, kWidth));
    trial.timed.dispatch = {
        device.create(desc), {{x, nullptr}, {y, nullptr}}, {{"factor", kFactor}}, static_cast<std::uint32_t>(axpy_groups(point))};
    trial.timed.loops_parameter.clear();
    trial.timed.launches.emplace();
    trial.timed.max_loops = kMostLaunches;
    trial.timed.verify = AxpyCheck(device, y, of_x, of_y);
    return trial;
  }
};

const RegisterExperiment registered(std::make_unique<LaunchCosts>());

}  // namespace
}  // namespace percycle::launch_experiment
