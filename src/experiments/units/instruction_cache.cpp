#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "analysis/instruction_caches.hpp"
#include "core/figures.hpp"
#include "device/values.hpp"
#include "expected/block_program.hpp"
#include "experiments/common/execution_mode.hpp"
#include "experiments/common/product.hpp"
#include "experiments/common/sweep.hpp"
#include "experiments/experiment.hpp"
#include "vocabulary/instruction_cache.hpp"

namespace percycle::instruction_cache_experiment {
namespace {

/// Additions of a block. Two programs: short blocks for the first levels, long ones for the rest.
/// Where instructions have 8 bytes, a third one makes up for them.
constexpr std::array<std::uint32_t, 3> kBlocks{64, 256, 512};
constexpr double kShortInstruction = 12;     // bytes: between 8 and 16
constexpr std::uint32_t kSchedulers = 4;     // known units have up to four
constexpr std::uint32_t kWarmLoops = 2;      // after one turn code is where it stays
constexpr std::uint32_t kExact = 1u << 24u;  // whole numbers below it are exact
constexpr std::uint64_t kSamples = 5;
constexpr std::size_t kMostRefined = 12;  // of each scope and program

const WordsParameter kScopes{parameter::kScope,
                             {instruction_scope::kSubgroup, instruction_scope::kSchedulers, instruction_scope::kUnits},
                             "subgroup: one; schedulers: four of one unit; units: four of every unit"};

std::uint32_t subgroup_size(const DeviceInfo& device) {
  return device.subgroup_sizes.empty() ? 1 : device.subgroup_sizes.front();
}

bool is(const Point& point, const char* scope) { return has_word(point.parameters, parameter::kScope, scope); }

std::uint32_t group_size(const DeviceInfo& device, const Point& point) {
  return subgroup_size(device) * (is(point, instruction_scope::kSubgroup) ? 1 : kSchedulers);
}

std::uint32_t group_count(const DeviceInfo& device, const Point& point) {
  return is(point, instruction_scope::kUnits) && device.units ? device.units->value : 1;
}

/// The starts of all invocations differ, so that no compiler knows the sums.
std::vector<float> start_numbers(std::uint32_t invocations) {
  std::vector<float> starts;
  for (std::uint32_t i = 0; i < invocations * BlockProgram::kNumbers; ++i) starts.push_back(static_cast<float>(i % 61));
  return starts;
}

class InstructionCacheExperiment final : public Experiment {
 public:
  std::string name() const override { return experiment::kInstructionCache; }

  Presentation presentation() const override {
    return {.title = "Instruction caches",
            .question = "How long does an instruction of straight-line code take, by the length of the code?",
            .method =
                "Subgroups run the first part of a long program of independent additions again and again. "
                "`net` is the time minus the time of the same kernel with an empty part. "
                "The size of a part in bytes comes from the machine code. "
                "Code that does not fit an instruction cache comes from the next one.",
            .metric = "cycles per instruction of subgroup 0",
            .operation = "instruction",
            .order = 165,
            .sizes = {parameter::kRunBlocks},
            .curves = {{.name = "instruction-cache",
                        .title = "Time of an instruction by the length of the code",
                        .x = figures::kRunBytes,
                        .x_title = "code that is run again and again",
                        .x_scale = AxisScale::bytes,
                        .y = {figures::kNetCyclesPerOp, figures::kNetNsPerOp},
                        .split = {parameter::kBlockLength},
                        .follows = {parameter::kRunBlocks}}},
            .words = {{parameter::kBlockLength, "", "blocks of {} additions"},
                      {parameter::kScope, instruction_scope::kSubgroup, "one subgroup"},
                      {parameter::kScope, instruction_scope::kSchedulers, "a subgroup of each scheduler"},
                      {parameter::kScope, instruction_scope::kUnits, "all units"}}};
  }

  std::vector<ParameterSpec> parameters() const override { return {kScopes}; }

  std::vector<Point> plan(const DeviceInfo& device, const Options& options, std::span<const PointResult> done) const override {
    std::vector<std::uint32_t> blocks(kBlocks.begin(), kBlocks.end() - (has_short_instructions(done) ? 0 : 1));
    std::vector<Point> points;
    for (Point& point : product({name(), {}}, {{parameter::kScope, options[kScopes]}, {parameter::kBlockLength, blocks}})) {
      const auto counts = block_counts(point, options.preset, done);
      point.parameters[parameter::kRunBlocks] = 1;
      // If the smallest is unsupported, all are: one point reports it.
      if (unsupported(device, point)) {
        points.push_back(std::move(point));
        break;
      }
      point.parameters.erase(parameter::kRunBlocks);
      append(points, product(point, {{parameter::kRunBlocks, counts}}));
    }
    return points;
  }

  std::optional<std::string> unsupported(const DeviceInfo& device, const Point& point) const override {
    if (device.api != Api::sim && (device.vendor != "NVIDIA" || device.type != DeviceType::gpu))
      return "percycle cannot read the length of this device's machine code, so it could give no size";
    if (device.subgroup_sizes.empty()) return "the device reports no subgroup size";
    if (is(point, instruction_scope::kUnits) && !device.units) return "the number of units is unknown";
    return group_unsupported(device, group_size(device, point), std::nullopt);
  }

  Trial prepare(Device& device, const Point& point, std::uint64_t /*seed*/) const override {
    const BlockProgram program{.block = number<std::uint32_t>(point, parameter::kBlockLength), .blocks = kProgramBlocks};
    const std::uint32_t blocks = number<std::uint32_t>(point, parameter::kRunBlocks);
    const std::uint32_t groups = group_count(device.info(), point);
    KernelDesc desc{.name = "instruction_cache",
                    .definitions = {{"BLOCK", std::to_string(program.block)}, {"BLOCKS", std::to_string(program.blocks)}},
                    .local_size = group_size(device.info(), point),
                    .bindings = {{"starts"}, {"sums"}, {"clocks"}},
                    .parameters = {{"loops", "timed turns"},
                                   {"warm_loops", "turns before the clocks are read"},
                                   {"blocks", "of the program that a turn runs"}},
                    .texts = {{"ALL_BLOCKS", program.text()}}};
    const std::vector<float> starts = start_numbers(groups * desc.local_size);
    const std::uint64_t bytes = starts.size() * sizeof(float);
    const auto input = device.create(BufferDesc{bytes});
    write_values(device, *input, starts);
    const auto kernel = device.create(desc);
    const auto looped = [&](std::uint32_t of_turn) {
      const auto sums = device.create(BufferDesc{bytes});
      const auto clocks = device.create(BufferDesc{4 * sizeof(std::uint64_t)});
      LoopedDispatch made;
      made.dispatch = {kernel,
                       {{input, nullptr}, {sums, nullptr}, {clocks, nullptr}},
                       {{"loops", 0}, {"warm_loops", kWarmLoops}, {"blocks", of_turn}},
                       groups};
      made.ops_per_loop = std::uint64_t{blocks} * program.block;
      made.max_loops = std::min<std::uint64_t>(device.info().max_loop_iterations.value_or(UINT32_MAX),
                                               kExact / (blocks * program.growth_per_block())) -
                       kWarmLoops - kNumbersBelow;
      made.turn.emplace();
      made.verify = [sums, starts, growth = of_turn * program.growth_per_block()](Device& on, std::uint64_t loops) {
        const auto found = read_values<float>(on, *sums, starts.size());
        const auto grown = static_cast<float>((loops + kWarmLoops) * growth);
        for (std::size_t i = 0; i < found.size(); ++i) {
          if (found[i] == starts[i] + grown) continue;
          return Outcome{Status::invalid, fmt::format("number {} ended as {} instead of {} after {} turns", i, found[i],
                                                      starts[i] + grown, loops)};
        }
        return Outcome{};
      };
      return std::pair(std::move(made), ClockReadings{clocks, 0});
    };
    Trial trial;
    std::tie(trial.timed, trial.clocks) = looped(blocks);
    std::tie(trial.control, trial.control_clocks) = looped(0);
    trial.repeatable = true;
    trial.samples = kSamples;
    observe_execution(trial, device);
    if (const auto code = device.code(*kernel)) {
      if (const auto length = code->statistics.find("Code Bytes"); length != code->statistics.end())
        trial.observed[kObservedCodeBytes] = std::to_string(length->second);
    }
    return trial;
  }

 private:
  static constexpr std::uint32_t kNumbersBelow = 64;  // starts are below this
  static constexpr std::uint64_t kParts = 16;         // of a block, to round the middle of two

  static bool has_short_instructions(std::span<const PointResult> done) {
    return std::any_of(done.begin(), done.end(), [](const PointResult& result) {
      if (result.point.experiment != experiment::kInstructionCache || !result.measurement) return false;
      const auto bytes = program_bytes(*result.measurement);
      const std::uint64_t additions = std::uint64_t{kProgramBlocks} * number(result.point, parameter::kBlockLength);
      return bytes && *bytes < kShortInstruction * static_cast<double>(additions);
    });
  }

  /// The blocks of a turn: a grid, refined where an instruction's time steps.
  std::vector<std::uint64_t> block_counts(Point point, Preset preset, std::span<const PointResult> done) const {
    // Long blocks begin where short ones end; a few of both show that the programs agree.
    const auto* block = std::find(kBlocks.begin(), kBlocks.end(), number<std::uint32_t>(point, parameter::kBlockLength));
    const std::uint64_t least = block == kBlocks.begin() ? 1 : kProgramBlocks * *(block - 1) / *block / 2;
    auto counts = octave_grid(least, kProgramBlocks, preset == Preset::quick ? 2 : 4, 1);
    counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
    if (preset == Preset::quick) return counts;
    const std::size_t limit = counts.size() + kMostRefined;
    for (;;) {
      std::vector<CurvePoint> curve;
      for (const std::uint64_t count : counts) {
        point.parameters[parameter::kRunBlocks] = count;
        const auto found =
            std::find_if(done.begin(), done.end(), [&](const PointResult& result) { return result.point == point; });
        if (found == done.end()) return counts;  // this generation is still to be measured
        if (!found->measurement) continue;
        const auto& statistics = found->measurement->statistics;
        const auto net = statistics.find(figures::kNetNsPerOp);
        if (net != statistics.end()) curve.push_back({count * kParts, net->second.median, net->second.mad.value_or(0)});
      }
      const auto added = refine(curve, {.step = 0.1, .finest_ratio = 1.03, .multiple = 1, .most = limit - counts.size()});
      const std::size_t before = counts.size();
      for (const std::uint64_t parts : added) counts.push_back((parts + kParts / 2) / kParts);
      std::sort(counts.begin(), counts.end());
      counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
      if (counts.size() == before) return counts;
    }
  }
};

const RegisterExperiment registered(std::make_unique<InstructionCacheExperiment>());

}  // namespace
}  // namespace percycle::instruction_cache_experiment
