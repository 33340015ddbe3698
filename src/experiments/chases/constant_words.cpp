#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/figures.hpp"
#include "device/values.hpp"
#include "experiments/chases/parts/latency.hpp"
#include "experiments/chases/parts/level_chains.hpp"
#include "experiments/chases/parts/turns.hpp"
#include "experiments/common/execution_mode.hpp"
#include "experiments/common/max_loops.hpp"
#include "experiments/common/prerequisite.hpp"
#include "experiments/experiment.hpp"
#include "vocabulary/constant_words.hpp"

namespace percycle::constant_words_experiment {
namespace {

constexpr const char* kConstantPath = "constant";
constexpr std::array<std::uint32_t, 13> kWordCounts{1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 128};
// Some drivers allow 4 GiB.
constexpr std::uint64_t kMostConstants = 64 << 10;
// Constants are arrays of 16-byte vectors (std140).
constexpr std::uint64_t kVectorBytes = 16;

/// Latency of a constant load by the number of distinct words that the lanes of a subgroup request.
/// One chain for each level of the constant path.
class ConstantWordsExperiment final : public Experiment {
 public:
  std::string name() const override { return experiment::kConstantWords; }

  Presentation presentation() const override {
    return {.title = "Constants by distinct words",
            .question = "How long does a constant load take, by the number of distinct words that the lanes request?",
            .method =
                "The lanes of one subgroup follow the same chain through constant memory from different places. "
                "If all lanes request one word, the unit broadcasts it. Each further distinct word takes additional time.",
            .metric = "load-to-use latency of the subgroup: ns and cycles per load",
            .operation = "load",
            .order = 155,
            .curves = {{.name = "constant-words",
                        .title = "Latency of a constant load by distinct words",
                        .x = parameter::kWords,
                        .x_title = "distinct words of a load",
                        .x_scale = AxisScale::linear,
                        .y = {figures::kCyclesPerOp, figures::kNsPerOp},
                        .follows = {parameter::kStride}}}};
  }

  std::vector<ParameterSpec> parameters() const override { return {}; }

  std::vector<Point> plan(const DeviceInfo& device, const Options& options, std::span<const PointResult> done) const override {
    if (const Point least = point_of({kVectorBytes, kVectorBytes}, 1); unsupported(device, least)) return {least};
    if (auto open = latency_prerequisite(device, options, done, kConstantPath); !open.empty()) return open;
    std::vector<Point> points;
    for (const LevelChain& chain : chains(device, done)) {
      for (const std::uint32_t words : kWordCounts) {
        if (words <= device.subgroup_sizes.front() && words <= chain.bytes / chain.stride_bytes)
          points.push_back(point_of(chain, words));
      }
    }
    return points;
  }

  std::optional<std::string> unsupported(const DeviceInfo& device, const Point& point) const override {
    if (device.subgroup_sizes.empty()) return "the device reports no subgroup size";
    if (auto reason = group_unsupported(device, device.subgroup_sizes.front(), std::nullopt)) return reason;
    const auto bytes = number(point, parameter::kBytes);
    return chase_unsupported(device, kConstantPath, "index", false, std::nullopt, kVectorBytes, bytes);
  }

  Trial prepare(Device& device, const Point& point, std::uint64_t seed) const override {
    const std::uint32_t lanes = device.info().subgroup_sizes.front();
    const std::uint64_t words = number(point, parameter::kWords);
    const ChainImage image = chase_image(
        device.info(),
        {.path = kConstantPath,
         .form = "index",
         .chain = Chain(number(point, parameter::kBytes) / number(point, parameter::kStride), ChainOrder::random, seed),
         .stride_bytes = number(point, parameter::kStride)});
    const std::uint64_t nodes = image.chain.nodes();
    // Lanes with the same remainder share a place; the places are evenly spread along the chain.
    const auto links = [=](std::uint64_t walked) {
      std::vector<std::uint32_t> all;
      for (std::uint32_t lane = 0; lane < lanes; ++lane)
        all.push_back(static_cast<std::uint32_t>(image.link_to(lane % words * nodes / words + walked, 0)));
      return all;
    };
    const auto starts = links(0);
    const auto state = buffer_of(device, starts, kClockBytes);
    KernelDesc desc{.name = "constant_words",
                    .local_size = lanes,
                    .bindings = {{"state"}},
                    .parameters = {{"loops", "timed turns of 31 loads"}, {"warm_loops", "turns before the clocks are read"}},
                    .constants = constant_chain(image, seed)};
    if (device.info().subgroup_size_control) desc.subgroup_size = lanes;

    Trial trial;
    const std::uint64_t warm = warm_turns(nodes);
    trial.timed.dispatch = {
        device.create(desc), {{state, nullptr}}, {{"loops", 0}, {"warm_loops", static_cast<std::uint32_t>(warm)}}, 1};
    trial.timed.ops_per_loop = kLoadsPerTurn;
    trial.timed.turn = {{.path = MemoryPath::constant, .count = kLoadsPerTurn}};
    trial.timed.max_loops = max_loops(device.info(), warm);
    trial.timed.verify = [state, links, warm, walked = std::uint64_t{0}](Device& on, std::uint64_t loops) mutable {
      walked += (warm + loops) * kLoadsPerTurn;
      const auto expected = links(walked);
      const auto ends = read_results<std::uint32_t>(on, *state, expected.size());
      const auto wrong = std::mismatch(ends.begin(), ends.end(), expected.begin());
      if (wrong.first == ends.end()) return Outcome{};
      return Outcome{Status::invalid, fmt::format("lane {} stands at vector {} of the chain instead of {} after {} loads",
                                                  wrong.first - ends.begin(), *wrong.first, *wrong.second, walked)};
    };
    trial.clocks = ClockReadings{state, 0};
    trial.ops_per_lap = nodes;
    observe_execution(trial, device);
    return trial;
  }

 private:
  Point point_of(const LevelChain& chain, std::uint32_t words) const {
    return {name(), {{parameter::kBytes, chain.bytes}, {parameter::kStride, chain.stride_bytes}, {parameter::kWords, words}}};
  }

  /// A chain for each level, and a chain that fills constant memory, up to kMostConstants. Short
  /// chains have a node in each vector, so that the lanes have enough places.
  static std::vector<LevelChain> chains(const DeviceInfo& device, std::span<const PointResult> done) {
    auto all = level_chains(done, kConstantPath);
    const std::uint64_t stride = all.empty() ? LevelChain{}.stride_bytes : all.front().stride_bytes;
    const std::uint64_t most = std::min(device.constant_bytes, kMostConstants) / stride * stride;
    // Several buffers may have shown it; this kernel has one.
    std::erase_if(all, [&](const LevelChain& chain) { return chain.bytes > most; });
    if (all.empty() || all.back().bytes < most) all.push_back({most, stride});
    for (LevelChain& chain : all) {
      if (chain.bytes / chain.stride_bytes < device.subgroup_sizes.front()) chain.stride_bytes = kVectorBytes;
    }
    return all;
  }
};

const RegisterExperiment registered(std::make_unique<ConstantWordsExperiment>());

}  // namespace
}  // namespace percycle::constant_words_experiment
