#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/instruction_caches.hpp"
#include "core/figures.hpp"
#include "core/units.hpp"
#include "device/values.hpp"
#include "expected/block_program.hpp"
#include "experiments/chases/parts/latency.hpp"
#include "experiments/chases/parts/level_chains.hpp"
#include "experiments/chases/parts/private_caches.hpp"
#include "experiments/common/execution_mode.hpp"
#include "experiments/common/prerequisite.hpp"
#include "experiments/common/product.hpp"
#include "experiments/experiment.hpp"
#include "vocabulary/instruction_sharing.hpp"

namespace percycle::instruction_sharing_experiment {
namespace {

/// Additions of a block: those of instruction-cache, and longer ones for instructions of 8 bytes.
constexpr std::array<std::uint32_t, 3> kSharedBlocks{64, 256, 512};
constexpr std::uint32_t kConstantsBlock = 256;
constexpr std::array<std::uint32_t, 12> kAggressorGrid{0, 1, 2, 4, 6, 8, 12, 16, 20, 24, 28, 32};
constexpr double kShareOfLevel = 0.7;  // as in level_chains: one fits, two do not
constexpr std::uint32_t kWarmTurns = 2;
constexpr std::uint32_t kExactSum = 1u << 24u;  // whole numbers below it are exact
constexpr std::uint32_t kStartsBelow = 61;
constexpr std::uint32_t kLoadsPerRow = 8;
constexpr std::uint64_t kMostConstantBytes = 64 * kKiB;  // some drivers allow 4 GiB
constexpr std::uint64_t kVectorBytes = 16;
constexpr std::uint32_t kLooks = 1u << 22u;
constexpr std::uint32_t kGroupsPerUnit = 4;  // so that both units get one under any distribution
constexpr std::uint64_t kSharingSamples = 5;

// Words of `state`, as in the kernel.
constexpr std::size_t kStepsDoneWord = 8;
constexpr std::size_t kGaveUpWord = 9;
constexpr std::size_t kSeatsWord = 10;
constexpr std::size_t kFirstLinkWord = 12;
constexpr std::size_t kLastLinksWord = 16;

const std::vector<KernelParameter> kSharingParameters{{"loops", "timed turns"},
                                                      {"warm_loops", "turns before them"},
                                                      {"passes", "of each program in a turn"},
                                                      {"victim_blocks", "of the victim's program that a turn runs"},
                                                      {"aggressor_blocks", "of the aggressor's"},
                                                      {"load_rows", "of 8 loads in the victim's turn, CONSTANT_VICTIM only"},
                                                      {"across", "1: the aggressor is on another unit"},
                                                      {"victim_unit", "across only"},
                                                      {"aggressor", "across: number of its unit, else of its subgroup"},
                                                      {"patience", "looks for the other unit's step"}};

const WordsParameter kVictims{parameter::kVictim,
                              {code_victim::kCode, code_victim::kConstants},
                              "code: straight-line code; constants: a chain of constants"};

std::uint32_t whole_number(const Point& point, const char* name) { return number_or(point, name, 0u); }

bool has_constant_victim(const Point& point) { return has_word(point.parameters, parameter::kVictim, code_victim::kConstants); }

bool is_across(const Point& point) { return has_word(point.parameters, parameter::kBeside, code_aggressor::kUnit); }

/// Both chains of constants in one array, so that one program serves both.
struct ConstantChains {
  std::vector<std::byte> bytes;
  std::optional<ChainImage> walked;
  std::uint64_t base = 0;  ///< byte of the walked chain's node 0

  std::uint32_t link_to(std::uint64_t position) const {
    return static_cast<std::uint32_t>(base / kVectorBytes + walked->link_to(position, 0));
  }
};

ConstantChains constant_chains(const DeviceInfo& device, const Point& point, std::uint64_t seed) {
  const std::uint64_t stride = whole_number(point, parameter::kStride);
  ConstantChains chains;
  for (const std::uint32_t level : {1u, 2u}) {
    const std::uint64_t bytes = whole_number(point, level == 1 ? parameter::kInnerBytes : parameter::kOuterBytes);
    const ChainImage image = chase_image(device, {.path = "constant",
                                                  .form = "index",
                                                  .chain = Chain(bytes / stride, ChainOrder::random, seed + level),
                                                  .stride_bytes = stride});
    const std::uint64_t base = chains.bytes.size();
    std::vector<std::byte> placed = constant_chain(image, seed + level);
    for (std::uint64_t position = 0; position < image.chain.nodes(); ++position) {
      const auto link = static_cast<std::uint32_t>(base / kVectorBytes + image.link_to(position + 1, 0));
      std::memcpy(placed.data() + image.layout.offset(image.chain.place(position)), &link, sizeof link);
    }
    placed.resize(bytes);
    chains.bytes.insert(chains.bytes.end(), placed.begin(), placed.end());
    if (level != whole_number(point, parameter::kLevel)) continue;
    chains.walked = image;
    chains.base = base;
  }
  return chains;
}

/// The parameters of one point, its kernel and the checks of its results.
struct SharingRun {
  GroupShape shape;
  std::uint32_t block = 0;
  std::uint32_t victim_blocks = 0;
  std::uint32_t aggressor_blocks = 0;
  std::uint32_t aggressor = 0;
  bool across = false;
  std::optional<ConstantChains> chains;  ///< of a victim that follows constants
  std::uint64_t rows = 0;                ///< of its loads

  SharingRun(const DeviceInfo& device, const Point& point, std::uint64_t seed)
      : shape(side_group(device)),
        block(whole_number(point, parameter::kBlockLength)),
        victim_blocks(whole_number(point, parameter::kVictimBlocks)),
        aggressor_blocks(whole_number(point, parameter::kAggressorBlocks)),
        aggressor(whole_number(point, parameter::kAggressor)),
        across(is_across(point)) {
    if (!has_constant_victim(point)) return;
    chains = constant_chains(device, point, seed);
    rows = (chains->walked->chain.nodes() + kLoadsPerRow - 1) / kLoadsPerRow;
  }

  std::uint32_t group_size() const { return shape.subgroups * shape.subgroup_size; }
  std::size_t seats() const { return across ? 2 : 1; }
  BlockProgram victim_program() const { return {.block = block, .blocks = kSideBlocks, .limit = "victim_blocks"}; }
  std::uint64_t growth_per_block() const { return victim_program().growth_per_block(); }

  KernelDesc describe(const DeviceInfo& device) const {
    const BlockProgram second{.block = block, .blocks = kSideBlocks, .limit = "aggressor_blocks", .blocks_before = kSideBlocks};
    KernelDesc desc{.name = "instruction_sharing",
                    .definitions = {{"BLOCK", std::to_string(block)},
                                    {"SIDE_BLOCKS", std::to_string(kSideBlocks)},
                                    {"SUBGROUP_SIZE", std::to_string(shape.subgroup_size)}},
                    .local_size = group_size(),
                    .bindings = {{"starts"}, {"sums"}, {"state"}},
                    .parameters = kSharingParameters,
                    .texts = {{"AGGRESSOR_TEXT", second.text()}}};
    if (device.subgroup_size_control) desc.subgroup_size = shape.subgroup_size;
    if (chains) {
      desc.definitions["CONSTANT_VICTIM"] = "1";
      desc.constants = chains->bytes;
    } else {
      desc.texts["VICTIM_TEXT"] = victim_program().text();
    }
    return desc;
  }

  /// The numbers that the sums begin with.
  std::vector<float> starts() const {
    std::vector<float> all;
    for (std::uint32_t i = 0; i < seats() * group_size() * BlockProgram::kNumbers; ++i)
      all.push_back(static_cast<float>(i % kStartsBelow));
    return all;
  }

  /// The words of `state` before a run.
  std::vector<std::uint32_t> fresh_state() const {
    std::vector<std::uint32_t> words(kLastLinksWord + group_size());
    if (chains) words[kFirstLinkWord] = chains->link_to(0);
    return words;
  }

  /// Whether victim and aggressor on two units took all their turns.
  Outcome check_steps(const std::vector<std::uint32_t>& left, std::uint64_t turns) const {
    if (!across) return {};
    for (std::size_t seat = 0; seat < seats(); ++seat) {
      if (left[kSeatsWord + seat] == 0)
        return {Status::unsupported, fmt::format("no work-group ran on unit {}", seat == 0 ? 0 : aggressor)};
    }
    if (left[kGaveUpWord] != 0)
      return {Status::unsupported, "the units made no forward progress: one gave up waiting for the other"};
    if (left[kStepsDoneWord] != 2 * turns)
      return {Status::invalid, fmt::format("the units took {} steps instead of {}", left[kStepsDoneWord], 2 * turns)};
    return {};
  }

  Outcome check_sums(const std::vector<float>& from, const std::vector<float>& found, std::uint64_t turns) const {
    for (std::size_t i = 0; i < found.size(); ++i) {
      const std::size_t subgroup = i / BlockProgram::kNumbers / shape.subgroup_size;
      const std::uint64_t ran =
          (subgroup == 0 ? victim_blocks : 0) + (subgroup == (across ? shape.subgroups : aggressor) ? aggressor_blocks : 0);
      const auto right = from[i] + static_cast<float>(turns * ran * growth_per_block());
      if (found[i] == right) continue;
      return {Status::invalid, fmt::format("number {} ended as {} instead of {} after {} turns", i, found[i], right, turns)};
    }
    return {};
  }

  Outcome check_links(const std::vector<std::uint32_t>& left, std::uint64_t turns) const {
    if (!chains) return {};
    const std::uint32_t last = chains->link_to(turns * rows * kLoadsPerRow);
    for (std::uint32_t lane = 0; lane < shape.subgroup_size; ++lane) {
      if (left[kLastLinksWord + lane] == last) continue;
      return {Status::invalid, fmt::format("lane {} stands at vector {} of the constants instead of {} after {} turns", lane,
                                           left[kLastLinksWord + lane], last, turns)};
    }
    return {};
  }
};

/// An aggressor's code evicts that of a victim exactly if both use one cache that is too small for
/// both together. They run in turns, so they never compete for anything else.
class InstructionSharing final : public Experiment {
 public:
  std::string name() const override { return experiment::kInstructionSharing; }

  Presentation presentation() const override {
    return {.title = "Owners of the instruction caches",
            .question = "Which subgroups and units share an instruction cache, and do constants live in it?",
            .method =
                "An aggressor runs straight-line code, then a victim is timed, in turns. "
                "The victim runs code of its own, or follows a chain of constants. "
                "Each fits a cache alone, but not both together. "
                "If the aggressor slows the victim down, they share the cache.",
            .metric = "the victim's cycles per instruction, or per load of constants",
            .operation = "instruction or load",
            .order = 167,
            .sizes = {parameter::kVictimBlocks, parameter::kAggressorBlocks},
            .curves = {{.name = "instruction-sharing-constants",
                        .title = "Latency of constants by the length of code between their loads",
                        .only = {{parameter::kVictim, code_victim::kConstants}},
                        .x = parameter::kAggressorBlocks,
                        .x_title = "blocks of code between two walks",
                        .x_scale = AxisScale::linear,
                        .y = {figures::kCyclesPerOp, figures::kNsPerOp},
                        .split = {parameter::kLevel}}},
            .bars = {{.name = "code",
                      .title = "Time of an instruction beside other code",
                      .y = {figures::kCyclesPerOp, figures::kNsPerOp},
                      .split = {parameter::kLevel},
                      .without = {parameter::kInnerBytes}}},
            .words = {{parameter::kLevel, "", "instruction cache {}"},
                      {parameter::kBeside, code_aggressor::kNothing, "alone"},
                      {parameter::kBeside, code_aggressor::kSubgroup, "a subgroup of the unit"},
                      {parameter::kBeside, code_aggressor::kUnit, "another unit"},
                      {parameter::kAggressor, "", "number {}"},
                      {parameter::kAggressorBlocks, "", ""}}};
  }

  std::vector<ParameterSpec> parameters() const override { return {kVictims}; }

  std::vector<Point> plan(const DeviceInfo& device, const Options& options, std::span<const PointResult> done) const override {
    if (const Point least = code_point(1, kSharedBlocks.front(), 1); unsupported(device, least)) return {least};
    auto open = instruction_prerequisite(device, options, done);
    if (options.has(kVictims, code_victim::kConstants)) {
      append(open, latency_prerequisite(device, options, done, "constant"));
    }
    if (!open.empty()) return open;
    std::vector<Point> points;
    if (options.has(kVictims, code_victim::kCode)) add_code(points, device, done);
    if (options.has(kVictims, code_victim::kConstants)) add_constants(points, device, options, done);
    return points;
  }

  std::vector<Point> conditional_points(const DeviceInfo&) const override {
    // The longest is for instructions of 8 bytes alone, which no target of the audit has.
    return {code_point(1, kSharedBlocks[0], 1), code_point(1, kSharedBlocks[1], 1)};
  }

  std::optional<std::string> unsupported(const DeviceInfo& device, const Point& point) const override {
    if (device.api != Api::sim && (device.vendor != "NVIDIA" || device.type != DeviceType::gpu))
      return "percycle cannot read the length of this device's machine code, so it could give no size";
    if (!device.unit_clock) return "a kernel cannot read its unit's clock";
    if (device.subgroup_sizes.empty()) return "the device reports no subgroup size";
    if (is_across(point)) {
      if (!device.unit_id) return "a kernel cannot read which unit runs it";
      if (!device.units) return "the number of units is unknown";
      if (std::uint64_t{kGroupsPerUnit} * device.units->value > device.max_groups)
        return fmt::format("a dispatch has at most {} work-groups", device.max_groups);
    }
    if (has_constant_victim(point)) {
      const std::uint64_t bytes = whole_number(point, parameter::kInnerBytes) + whole_number(point, parameter::kOuterBytes);
      return chase_unsupported(device, "constant", "index", false, std::nullopt, whole_number(point, parameter::kStride), bytes);
    }
    if (whole_number(point, parameter::kVictimBlocks) == 0) return "percycle found no instruction cache";
    if (whole_number(point, parameter::kVictimBlocks) > kSideBlocks)
      return fmt::format("a program of {} blocks does not fill enough of the cache", kSideBlocks);
    return std::nullopt;
  }

  Trial prepare(Device& device, const Point& point, std::uint64_t seed) const override {
    const DeviceInfo& info = device.info();
    const SharingRun run(info, point, seed);
    const auto starts = run.starts();
    const auto fresh = run.fresh_state();
    const auto input = buffer_of(device, starts);
    const auto sums = device.create(BufferDesc{input->bytes()});
    const auto state = buffer_of(device, fresh);

    Trial trial;
    trial.timed.dispatch = {device.create(run.describe(info)),
                            {{input, nullptr}, {sums, nullptr}, {state, nullptr}},
                            {{"loops", 0},
                             {"warm_loops", kWarmTurns},
                             {"passes", 1},
                             {"victim_blocks", run.victim_blocks},
                             {"aggressor_blocks", run.aggressor_blocks},
                             {"load_rows", static_cast<std::uint32_t>(run.rows)},
                             {"across", run.across ? 1u : 0u},
                             {"victim_unit", 0},
                             {"aggressor", run.aggressor},
                             {"patience", kLooks}},
                            run.across ? kGroupsPerUnit * info.units->value : 1};
    trial.timed.ops_per_loop = run.chains ? run.rows * kLoadsPerRow : std::uint64_t{run.victim_blocks} * run.block;
    const std::uint64_t growth = std::uint64_t{std::max(1u, run.victim_blocks + run.aggressor_blocks)} * run.growth_per_block();
    trial.timed.max_loops = std::min<std::uint64_t>(info.max_loop_iterations.value_or(UINT32_MAX) / (run.rows + 8),
                                                    (kExactSum - kStartsBelow) / growth) -
                            kWarmTurns;
    trial.timed.verify = [=](Device& on, std::uint64_t loops) {
      const auto left = read_values<std::uint32_t>(on, *state, fresh.size());
      write_values(on, *state, fresh);
      const std::uint64_t turns = kWarmTurns + loops;
      if (Outcome steps = run.check_steps(left, turns); steps.status != Status::ok) return steps;
      const auto found = read_values<float>(on, *sums, starts.size());
      if (Outcome outcome = run.check_sums(starts, found, turns); outcome.status != Status::ok) return outcome;
      return run.check_links(left, turns);
    };
    trial.clocks = ClockReadings{state, 0};
    trial.samples = kSharingSamples;
    observe_execution(trial, device);
    return trial;
  }

 private:
  Point code_point(std::int64_t level, std::uint32_t block, std::uint32_t blocks) const {
    return {name(),
            {{parameter::kVictim, code_victim::kCode},
             {parameter::kBeside, code_aggressor::kNothing},
             {parameter::kLevel, level},
             {parameter::kBlockLength, block},
             {parameter::kVictimBlocks, blocks}}};
  }

  /// Victim and aggressor fill 0.7 of each level that one subgroup sees.
  void add_code(std::vector<Point>& points, const DeviceInfo& device, std::span<const PointResult> done) const {
    std::int64_t level = 0;
    const double addition = addition_bytes(done);
    for (const InstructionCacheLevel& cache : read_instruction_caches(done).levels) {
      if (cache.scope != instruction_scope::kSubgroup) continue;
      const double additions = kShareOfLevel * static_cast<double>(cache.size_bytes) / addition;
      const auto fits = [&](std::uint32_t block) { return std::lround(additions / block) <= kSideBlocks; };
      const auto* found = std::find_if(kSharedBlocks.begin(), kSharedBlocks.end(), fits);
      const std::uint32_t block = found == kSharedBlocks.end() ? kSharedBlocks.back() : *found;
      Point point = code_point(++level, block, static_cast<std::uint32_t>(std::lround(additions / block)));
      points.push_back(point);
      if (unsupported(device, point)) continue;
      point.parameters[parameter::kAggressorBlocks] = point.parameters[parameter::kVictimBlocks];
      const auto add = [&](const char* place, std::uint32_t aggressor) {
        point.parameters[parameter::kBeside] = place;
        point.parameters[parameter::kAggressor] = aggressor;
        points.push_back(point);
      };
      for (std::uint32_t other = 0; other < side_group(device).subgroups; ++other) add(code_aggressor::kSubgroup, other);
      // A neighbour and a unit far from the victim, which is on unit 0.
      const std::uint32_t units = device.units ? device.units->value : 1;
      if (units >= 2) add(code_aggressor::kUnit, 1);
      if (units >= 4) add(code_aggressor::kUnit, units / 2);
    }
    if (level == 0) points.push_back(code_point(1, kSharedBlocks.front(), 0));
  }

  /// Chains in the first level of constants and behind it, beside ever longer code.
  void add_constants(std::vector<Point>& points, const DeviceInfo& device, const Options& options,
                     std::span<const PointResult> done) const {
    const auto levels = level_chains(done, "constant");
    const std::uint64_t stride = levels.empty() ? 64 : levels.front().stride_bytes;
    const std::uint64_t inner = levels.empty() ? kKiB : levels.front().bytes;
    const std::uint64_t most = std::min(device.constant_bytes, kMostConstantBytes) / stride * stride;
    const std::uint64_t outer = levels.size() > 1 ? levels[1].bytes : most - std::min(most, inner);
    for (const std::int64_t level : {1, 2}) {
      for (const std::uint32_t blocks : kAggressorGrid) {
        if (options.preset == Preset::quick && blocks % 8 != 0) continue;
        points.push_back({name(),
                          {{parameter::kVictim, code_victim::kConstants},
                           {parameter::kBeside, code_aggressor::kSubgroup},
                           {parameter::kAggressor, 0},
                           {parameter::kLevel, level},
                           {parameter::kInnerBytes, inner},
                           {parameter::kOuterBytes, std::min(outer, most - inner)},
                           {parameter::kStride, stride},
                           {parameter::kBlockLength, kConstantsBlock},
                           {parameter::kAggressorBlocks, blocks}}});
      }
    }
  }

  static std::vector<Point> instruction_prerequisite(const DeviceInfo& device, const Options& options,
                                                     std::span<const PointResult> done) {
    return open_points(device, options, done, experiment::kInstructionCache, {{parameter::kScope, instruction_scope::kSubgroup}});
  }
};

const RegisterExperiment registered(std::make_unique<InstructionSharing>());

}  // namespace
}  // namespace percycle::instruction_sharing_experiment
