#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>

#include "analysis/known_readings.hpp"
#include "analysis/path_curve.hpp"
#include "core/data_words.hpp"
#include "core/error.hpp"
#include "core/figures.hpp"
#include "core/units.hpp"
#include "device/values.hpp"
#include "expected/loaded_latency.hpp"
#include "experiments/bandwidth/parts/unit_bandwidth.hpp"
#include "experiments/chases/parts/chain.hpp"
#include "experiments/chases/parts/latency.hpp"
#include "experiments/chases/parts/level_chains.hpp"
#include "experiments/chases/parts/loaded_unit.hpp"
#include "experiments/chases/parts/loaded_walk.hpp"
#include "experiments/chases/parts/turns.hpp"
#include "experiments/common/beyond_caches.hpp"
#include "experiments/common/execution_mode.hpp"
#include "experiments/common/fill.hpp"
#include "experiments/common/max_loops.hpp"
#include "experiments/common/offsets.hpp"
#include "experiments/common/prerequisite.hpp"
#include "experiments/common/product.hpp"
#include "experiments/common/slow_device.hpp"
#include "experiments/experiment.hpp"
#include "vocabulary/loaded_latency.hpp"

namespace percycle::loaded_latency_experiment {
namespace {

constexpr const char* kWalkPath = "global";
constexpr const char* kWalkForm = "pointer";
constexpr const char* kRead = "read";

// Layout of kernel pair `loaded_latency`. `marks` has three parts with a span of words per mover:
// the flags, the turns of its rows, the notes of the walker.
const std::vector<KernelParameter> kLoadedParameters{{"loops", ""},
                                                     {"turns", "timed turns of 31 loads per loop"},
                                                     {"warm_loops", "turns before the clocks are read"},
                                                     {"lanes", "lanes that walk: 1"},
                                                     {"movers", "work-groups that move data"},
                                                     {"tiles", "tiles of a mover's slice"},
                                                     {"place", "regions between a word's source and its place: 1 for copy"},
                                                     {"pause", "turns of 32 dependent multiply-adds after each tile"},
                                                     {"patience", "looks of one side for the other"},
                                                     {"most_turns", "turns of a mover"},
                                                     {"multiply", "of the arithmetic in a pause"},
                                                     {"add", ""},
                                                     {"salt", "of written words"}};
/// Movers whose stores the host checks after a run, others each time: every look takes 40 us.
constexpr std::uint32_t kCheckedStores = 8;

// A mover's tile takes about this long when all units move data, and a turn of a pause 128 cycles.
constexpr std::uint64_t kBytesPerUnitCycle = 16;
constexpr std::uint64_t kCyclesPerPauseTurn = 128;
constexpr std::uint64_t kMostTileBytesPerCycle = 64;
/// The least data in the memory of CPUs and simulated devices, which are a hundred times slower
/// than GPUs.
constexpr std::uint64_t kLeastInMemory = 16 * kMiB;

// Chains in levels of one unit: those of local memory have the stride of `latency` there.
constexpr std::uint64_t kLocalChain = 4 * kKiB;
constexpr std::uint64_t kLocalStride = 64;
constexpr std::uint64_t kMostFirstChain = 64 * kKiB;

constexpr std::array kGroupSizes{1024u, 512u, 256u, 128u, 64u};

const WordsParameter kLevels{parameter::kLevel,
                             {loaded_level::kL2, loaded_level::kMemory, loaded_level::kLocal, loaded_level::kL1},
                             "level of the walk and of the data"};
const WordsParameter kOperations{
    parameter::kOperation, {kRead, "write", "copy"}, "what the others do with the data of that level; local, l1: read"};
const WordsParameter kLoads{
    parameter::kLoad,
    {"0", "5", "10", "20", "30", "40", "50", "60", "70", "80", "90", "100"},
    ParameterSpec::kAutomatic,
    "share of the time that they spend with it, about, in percent (0: nobody does; 100: without a pause); "
    "auto: 0,10,30,50,70,90,100 (quick: 0,50,100; full: all)"};

std::vector<std::string> automatic_loads(Preset preset) {
  return by_preset<std::vector<std::string>>(preset, {"0", "50", "100"}, {"0", "10", "30", "50", "70", "90", "100"},
                                             kLoads.choices);
}

/// The work-groups that move data: one per unit beside the walker's. A CPU driver that does not say
/// how many threads it has gets one.
std::uint32_t mover_count(const DeviceInfo& device) {
  if (device.type == DeviceType::cpu && !device.units) return 1;
  return std::max(all_units(device), 2u) - 1;
}

/// Lanes that are sure to stay together: the smallest subgroup.
std::uint32_t smallest_subgroup(const DeviceInfo& device) {
  if (device.subgroup_sizes.empty()) return 1;
  return *std::ranges::min_element(device.subgroup_sizes);
}

/// The sizes of work-groups, largest first. On a CPU the subgroups of a work-group run one after
/// the other, so a work-group has one.
std::vector<std::uint32_t> group_sizes(const DeviceInfo& device) {
  if (device.type == DeviceType::cpu) return {smallest_subgroup(device)};
  std::vector<std::uint32_t> sizes;
  std::ranges::copy_if(kGroupSizes, std::back_inserter(sizes), [&](std::uint32_t size) { return size <= device.max_group_size; });
  if (sizes.empty()) sizes.push_back(std::max(device.max_group_size, 1u));
  return sizes;
}

std::uint64_t tile_bytes(std::uint32_t group_size) { return MoverShape{group_size, 1}.tile_bytes(); }

/// The walk and the moved data of a point.
struct LoadedWalk {
  std::string operation;
  std::uint32_t load = 0;
  std::uint64_t chain_bytes = 0;
  std::uint64_t stride_bytes = 128;
  std::uint32_t movers = 0;
  std::uint32_t group_size = 1;
  std::uint64_t footprint = 0;  ///< bytes of all slices

  std::uint64_t regions() const { return operation == "copy" ? 2 : 1; }
  MoverShape shape() const {
    const std::uint64_t slice = movers == 0 ? 0 : footprint / regions() / movers;
    return {group_size, static_cast<std::uint32_t>(slice / tile_bytes(group_size))};
  }
  /// Turns of a pause after each tile.
  std::uint32_t pause() const {
    if (load == 0) return 0;
    const std::uint64_t cycles = tile_bytes(group_size) / kBytesPerUnitCycle * (100 - load) / load;
    return static_cast<std::uint32_t>((cycles + kCyclesPerPauseTurn - 1) / kCyclesPerPauseTurn);
  }
};

std::uint32_t most_turns(const DeviceInfo& device, const LoadedWalk& walk) {
  const std::uint64_t turn = tile_bytes(walk.group_size) / kMostTileBytesPerCycle + 1 + walk.pause() * kCyclesPerPauseTurn / 2;
  return loaded::most_turns(device, turn, walk.pause() + 2);
}

/// On a CPU, which starts work-groups late, a loop must take longer than some tiles.
std::uint32_t turns_per_loop(const DeviceInfo& device) { return device.type == DeviceType::cpu ? 64 : 1; }

/// Compares results of a dispatch with the closed forms.
class LoadedCheck {
 public:
  LoadedCheck(const LoadedWalk& walk, const ChainImage& image, std::uint64_t warm_loops, DataWords words, DataWords written)
      : walk_(walk), shape_(walk.shape()), image_(image), warm_loops_(warm_loops), words_(words), written_(written) {}

  std::shared_ptr<Buffer> data, out, marks, sums;
  std::uint32_t row_lanes = 1;

  Outcome operator()(Device& on, std::uint64_t loops) {
    const auto left = read_values<std::uint64_t>(on, *out, loaded::kOutWords);
    write_values(on, *out, std::vector<std::uint64_t>(loaded::kOutWords));
    write_values(on, *marks, std::vector<std::uint32_t>(marks->bytes() / sizeof(std::uint32_t)));
    // On a GPU a short walk may end before the first tile.
    const bool idle_cpu = on.info().type == DeviceType::cpu && loops > 0 && walk_.movers > 0 && left[loaded::kMovedWord] == 0;
    if (left[loaded::kMissedWord] != 0 || left[loaded::kGaveUpWord] != 0 || idle_cpu)
      return {Status::unsupported, "the work-groups did not run at the same time, so no data moved during the walk"};
    walked_ += (warm_loops_ + loops * turns_per_loop(on.info())) * kLoadsPerTurn;
    if (Outcome end = loaded::check_end(left[loaded::kEndWord], image_, walked_); end.status != Status::ok) return end;
    if (walk_.movers == 0) return {};
    ++run_;
    const auto left_by_lanes = read_values<std::uint32_t>(on, *sums, loaded::kSumWords * walk_.movers * walk_.group_size);
    for (std::uint32_t mover = 0; mover < walk_.movers; ++mover) {
      const std::uint32_t lane = lowbias32(run_ * walk_.movers + mover) % walk_.group_size;
      const std::uint32_t* of_lane = &left_by_lanes[loaded::kSumWords * (mover * walk_.group_size + lane)];
      const bool is_stored = walk_.operation != "read" && (mover + run_) % std::max(walk_.movers / kCheckedStores, 1u) == 0;
      Outcome outcome = check_sum(mover, lane, of_lane[0], of_lane[1]);
      if (outcome.status == Status::ok && is_stored) outcome = check_store(on, mover, lane, of_lane[1]);
      if (outcome.status != Status::ok) return outcome;
    }
    return {};
  }

  /// Words per mover in each part of `marks`.
  std::uint32_t span() const { return std::max(loaded::kSpan, walk_.group_size / row_lanes); }

 private:
  static Outcome wrong(const char* what, std::uint32_t mover, std::uint32_t lane, std::uint32_t found, std::uint32_t right) {
    return {Status::invalid, fmt::format("{} lane {} of mover {}: {:#x} instead of {:#x}", what, lane, mover, found, right)};
  }

  /// One lane of each mover per run, another one each time: the host could not keep up with all.
  Outcome check_sum(std::uint32_t mover, std::uint32_t lane, std::uint32_t sum, std::uint32_t turns) const {
    std::uint32_t right = paused(std::uint64_t{turns} * walk_.pause());
    if (walk_.operation == "read") right += read_sum(shape_, mover, lane, turns, [&](std::uint64_t i) { return words_.word(i); });
    return sum == right ? Outcome{} : wrong("the sum of", mover, lane, sum, right);
  }

  /// The last vector of the lane's last tile.
  Outcome check_store(Device& on, std::uint32_t mover, std::uint32_t lane, std::uint32_t turns) const {
    const std::uint32_t number = mover * walk_.group_size + lane;
    const std::uint32_t row = kMoverUnroll - 1;
    const std::uint64_t first = shape_.word(mover, (turns - 1) % shape_.tiles, row, lane);
    const std::uint64_t place = (walk_.regions() - 1) * walk_.footprint / 2;
    const auto found = read_values<std::uint32_t>(on, *data, kVectorWords, place + first * sizeof(std::uint32_t));
    for (std::uint32_t channel = 0; channel < kVectorWords; ++channel) {
      const std::uint32_t right = walk_.operation == "copy"
                                      ? words_.word(first + channel)
                                      : written_word(lowbias32(number ^ written_.salt()), turns - 1, row, channel);
      if (found[channel] != right) return wrong("the data of", mover, lane, found[channel], right);
    }
    return {};
  }

  LoadedWalk walk_;
  MoverShape shape_;
  ChainImage image_;
  std::uint64_t warm_loops_;
  DataWords words_;
  DataWords written_;
  std::uint64_t walked_ = 0;
  std::uint32_t run_ = 0;
};

KernelDesc kernel_of(const DeviceInfo& device, const LoadedWalk& walk, std::uint32_t row_lanes, std::uint32_t span) {
  const std::map<std::string, std::string> operations{{"read", "OP_READ"}, {"write", "OP_WRITE"}, {"copy", "OP_COPY"}};
  const bool alone = walk.movers == 0;
  const std::uint32_t group_size = alone ? chase_group_size(device, kWalkPath, 1, std::nullopt) : walk.group_size;
  return {.name = "loaded_latency",
          .definitions = {{"OP", alone ? "OP_READ" : operations.at(walk.operation)},
                          {"LANES", std::to_string(std::min(row_lanes, group_size))},
                          {"SPAN", std::to_string(span)},
                          {"UNROLL", std::to_string(kMoverUnroll)}},
          .local_size = group_size,
          .bindings = {{"chain", BindingKind::address}, {"data", BindingKind::address}, {"link"}, {"out"}, {"marks"}, {"sums"}},
          .parameters = kLoadedParameters};
}

KernelValues parameters_of(const DeviceInfo& info, const LoadedWalk& walk, std::uint64_t warm, const DataWords& written) {
  return {{"loops", 0},
          {"turns", turns_per_loop(info)},
          {"warm_loops", static_cast<std::uint32_t>(warm)},
          {"lanes", 1},
          {"movers", walk.movers},
          {"tiles", walk.shape().tiles},
          {"place", static_cast<std::uint32_t>(walk.regions() - 1)},
          {"pause", walk.pause()},
          {"patience", loaded::patience(info)},
          {"most_turns", most_turns(info, walk)},
          {"multiply", kPauseMultiply},
          {"add", kPauseAdd},
          {"salt", written.salt()}};
}

/// Walks a chain while other work-groups move data.
class LoadedLatency final : public Experiment {
 public:
  std::string name() const override { return experiment::kLoadedLatency; }
  Presentation presentation() const override {
    return {.title = "Latency under load",
            .question = "How long does a dependent load take while others move data of the same level?",
            .method =
                "One work-group walks a chain in a level of the hierarchy. On every other unit a work-group reads, writes or "
                "copies data of the same level, with pauses between its tiles. In local memory and the first cache, up to eight "
                "other subgroups of the work-group read instead. The others count their tiles, and the walk notes "
                "these counts at its begin and end. So bytes and time belong to the same interval.",
            .metric = "load-to-use latency of the walk: ns and cycles per load; `traffic` is the bandwidth of the others",
            .operation = "load",
            .order = 125,
            .configuration = {"group_size"},
            .sizes = {parameter::kFootprint, parameter::kChain},
            .curves = {{.name = "loaded-latency",
                        .title = "Latency by the bandwidth that others take",
                        .x = figures::kTrafficGbPerS,
                        .x_title = "bandwidth of the others, " + figure_unit(figures::kTrafficGbPerS),
                        .x_scale = AxisScale::linear,
                        .y = {figures::kNsPerOp},
                        .split = {parameter::kLevel},
                        .follows = {parameter::kLoad, "group_size"}}}};
  }

  std::vector<ParameterSpec> parameters() const override { return {kLevels, kOperations, kLoads}; }

  std::vector<Point> plan(const DeviceInfo& device, const Options& options, std::span<const PointResult> done) const override {
    std::vector<Point> points;
    // Local memory has a known size.
    if (options[kLevels] != std::vector<std::string>{loaded_level::kLocal})
      points = latency_prerequisite(device, options, done, kWalkPath);
    if (!points.empty()) return points;
    const auto loads = numbers(options.words_or(kLoads, automatic_loads(options.preset)));
    for (const std::string& level : options[kLevels]) {
      for (const std::string& operation : options[kOperations]) {
        Point question{name(), {{parameter::kLevel, level}, {parameter::kOperation, operation}}};
        if (is_of_unit(question)) {
          if (operation != kRead) continue;
          add_unit_sizes(question, device, done);
        } else {
          add_sizes(question, device, done);
        }
        auto added = product(question, {{parameter::kLoad, loads}});
        // If one load is unsupported, all are: one point reports it.
        if (unsupported(device, added.front())) added.resize(1);
        append(points, std::move(added));
      }
    }
    if (points.empty())
      throw UsageError(fmt::format("--set level={}: these levels have only operation=read", options.text(kLevels)));
    return points;
  }

  std::optional<std::string> unsupported(const DeviceInfo& device, const Point& point) const override {
    if (is_of_unit(point)) {
      if (number(point, parameter::kChain) == 0)
        return "percycle found no first cache of a unit on the global path that holds the walk and the data";
      return loaded_unit_unsupported(device, unit_of(point));
    }
    const LoadedWalk walk = walk_of(device, point);
    if (walk.chain_bytes == 0) return "percycle found no shared cache on the global path that holds the data of all units";
    if (auto reason = chase_unsupported(device, kWalkPath, kWalkForm, false, std::nullopt, walk.stride_bytes, walk.chain_bytes))
      return reason;
    if (auto reason = offsets_unsupported(device, walk.footprint)) return reason;
    if (auto reason = group_unsupported(device, walk.group_size, std::nullopt)) return reason;
    if (walk.footprint > chase_capacity(device, kWalkPath))
      return fmt::format("a buffer holds at most {}", format_bytes(chase_capacity(device, kWalkPath)));
    if (device.units && device.units->value < 2) return "the device has only one unit";
    if (device.type == DeviceType::cpu && !device.device_clock)
      return "a kernel cannot read a clock, and the time of the dispatch has the wait for all work-groups";
    return std::nullopt;
  }

  Trial prepare(Device& device, const Point& point, std::uint64_t seed) const override;

 private:
  static std::vector<CurveLevel> known_levels(std::span<const PointResult> done) {
    return known_reading(path_curves(done, kWalkPath).best()).levels;
  }

  static std::uint64_t last_level_bytes(std::span<const PointResult> done) {
    const auto levels = known_levels(done);
    return levels.empty() ? 0 : static_cast<std::uint64_t>(levels.back().size);
  }

  static std::uint64_t walk_stride(std::span<const PointResult> done) {
    const std::uint64_t stride = path_curves(done, kWalkPath).stride_bytes;
    return stride > 0 ? stride : LevelChain{}.stride_bytes;
  }

  /// The size of the first shared cache: half of it holds all slices, a quarter the walk. 0 if
  /// there is none.
  static std::uint64_t level_bytes(std::span<const PointResult> done, std::uint64_t least) {
    const auto levels = known_levels(done);
    for (std::size_t i = levels.size() > 1 ? 1 : 0; i < levels.size(); ++i) {
      const auto size = static_cast<std::uint64_t>(levels[i].size);
      if (size / 2 >= least) return size;
    }
    return 0;
  }

  /// Adds the sizes of the walk and of the moved data to a question.
  static void add_sizes(Point& question, const DeviceInfo& device, std::span<const PointResult> done) {
    const std::uint64_t least_slices =
        std::uint64_t{mover_count(device)} * (word(question, parameter::kOperation) == "copy" ? 2 : 1) * tile_bytes(1);
    const auto sizes = group_sizes(device);
    const bool in_memory = word(question, parameter::kLevel) == loaded_level::kMemory;
    std::uint64_t room = 0;
    std::uint64_t chain = 0;
    if (in_memory) {
      const bool fast = !is_slow(device);
      const std::uint64_t wanted =
          fast ? beyond_caches(device) : std::max(kLeastInMemory, std::bit_ceil(4 * last_level_bytes(done)));
      room = std::min(wanted, chase_capacity(device, kWalkPath));
      chain = std::bit_floor(fast ? room / 2 : room);
    } else if (const std::uint64_t bytes = level_bytes(done, least_slices * sizes.back())) {
      room = bytes / 2;
      chain = std::bit_floor(bytes / 4);
    }
    const auto fits = [&](std::uint32_t size) { return least_slices * size <= room; };
    const auto found = std::ranges::find_if(sizes, fits);
    const std::uint32_t group_size = found == sizes.end() ? sizes.back() : *found;
    const std::uint64_t step = least_slices * group_size;
    question.parameters.insert({{parameter::kChain, chain},
                                {parameter::kStride, walk_stride(done)},
                                {parameter::kFootprint, std::max(room / step, std::uint64_t{1}) * step},
                                {"group_size", group_size}});
  }

  /// The level belongs to one unit.
  static bool is_of_unit(const Point& point) {
    const std::string& level = word(point, parameter::kLevel);
    return level == loaded_level::kLocal || level == loaded_level::kL1;
  }

  /// The first of several caches is taken as a unit's own. A quarter of it holds the walk, as long
  /// as the data fit beside it.
  static void add_unit_sizes(Point& question, const DeviceInfo& device, std::span<const PointResult> done) {
    const bool in_local = word(question, parameter::kLevel) == loaded_level::kLocal;
    const std::uint64_t footprint = loader_footprint(device);
    std::uint64_t chain = kLocalChain;
    std::uint64_t stride = kLocalStride;
    if (!in_local) {
      const auto levels = known_levels(done);
      const auto size = levels.size() > 1 ? static_cast<std::uint64_t>(levels.front().size) : 0;
      chain = std::min(std::bit_floor(size / 4), kMostFirstChain);
      stride = walk_stride(done);
      if (chain < 2 * stride || chain + footprint > size) chain = 0;
    }
    question.parameters.insert({{parameter::kChain, chain},
                                {parameter::kStride, stride},
                                {parameter::kFootprint, footprint},
                                {"group_size", loaded_unit_group(device)}});
  }

  static LoadedUnit unit_of(const Point& point) {
    return {.in_local = word(point, parameter::kLevel) == loaded_level::kLocal,
            .load = number<std::uint32_t>(point, parameter::kLoad),
            .chain_bytes = number(point, parameter::kChain),
            .stride_bytes = number(point, parameter::kStride),
            .footprint = number(point, parameter::kFootprint),
            .group_size = number<std::uint32_t>(point, "group_size")};
  }

  static LoadedWalk walk_of(const DeviceInfo& device, const Point& point) {
    const auto load = number<std::uint32_t>(point, parameter::kLoad);
    return {.operation = word(point, parameter::kOperation),
            .load = load,
            .chain_bytes = number(point, parameter::kChain),
            .stride_bytes = number(point, parameter::kStride),
            .movers = load == 0 ? 0 : mover_count(device),
            .group_size = number<std::uint32_t>(point, "group_size"),
            .footprint = number(point, parameter::kFootprint)};
  }
};

Trial LoadedLatency::prepare(Device& device, const Point& point, std::uint64_t seed) const {
  if (is_of_unit(point)) return loaded_unit_trial(device, unit_of(point), seed);
  const DeviceInfo& info = device.info();
  const LoadedWalk walk = walk_of(info, point);
  const ChainImage image = chase_image(info, Chase{.path = kWalkPath,
                                                   .form = kWalkForm,
                                                   .chain = Chain(walk.chain_bytes / walk.stride_bytes, ChainOrder::random, seed),
                                                   .stride_bytes = walk.stride_bytes});
  const std::uint64_t nodes = image.chain.nodes();
  const std::uint64_t warm = warm_turns(nodes);
  const DataWords words(seed);
  const DataWords written(seed + 1);
  const auto chain = device.create(BufferDesc{image.layout.span(nodes)});
  const auto link = device.create(BufferDesc{sizeof(std::uint64_t)});

  const auto check = std::make_shared<LoadedCheck>(walk, image, warm, words, written);
  check->row_lanes = std::min(smallest_subgroup(info), walk.group_size);
  check->data = walk.movers > 0 ? device.create(BufferDesc{walk.footprint}) : chain;
  check->out = buffer_of(device, std::vector<std::uint64_t>(loaded::kOutWords));
  check->marks =
      buffer_of(device, std::vector<std::uint32_t>(std::max(3 * std::size_t{walk.movers}, std::size_t{1}) * check->span()));
  check->sums = device.create(
      BufferDesc{std::uint64_t{std::max(walk.movers, 1u)} * walk.group_size * loaded::kSumWords * sizeof(std::uint32_t)});

  Trial trial;
  trial.setup = build_chain(device, chain, link, image);
  if (nodes > kWarmLapNodes) {
    const auto touches = touch_chain(device, {chain, nullptr}, BindingKind::address, image);
    trial.setup.insert(trial.setup.end(), touches.begin(), touches.end());
  }
  if (walk.movers > 0) {
    const auto pieces = fill(device, check->data, words);
    trial.setup.insert(trial.setup.begin(), pieces.begin(), pieces.end());
  }
  trial.timed.dispatch = {device.create(kernel_of(info, walk, check->row_lanes, check->span())),
                          {{chain, nullptr},
                           {check->data, nullptr},
                           {link, nullptr},
                           {check->out, nullptr},
                           {check->marks, nullptr},
                           {check->sums, nullptr}},
                          parameters_of(info, walk, warm, written),
                          1 + walk.movers};
  trial.timed.ops_per_loop = kLoadsPerTurn * turns_per_loop(info);
  trial.timed.turn = {{.path = MemoryPath::global, .kind = AccessKind::read, .width = 8, .count = kLoadsPerTurn}};
  trial.timed.max_loops = max_loops(info, loaded::other_loops(info, warm)) / turns_per_loop(info);
  trial.timed.verify = [check](Device& on, std::uint64_t loops) { return (*check)(on, loops); };
  trial.clocks = ClockReadings{check->out, 0};
  trial.traffic =
      TrafficReading{.buffer = check->out,
                     .offset = loaded::kMovedWord * sizeof(std::uint64_t),
                     .bytes_each = walk.regions() * check->row_lanes * kMoverUnroll * kVectorWords * sizeof(std::uint32_t),
                     .groups = walk.movers};
  trial.sample_ns = loaded::walk_ns(info);
  trial.ops_per_lap = nodes;
  observe_subgroup_size(trial, device);
  return trial;
}

const RegisterExperiment registered(std::make_unique<LoadedLatency>());

}  // namespace
}  // namespace percycle::loaded_latency_experiment
