#include "experiments/chases/parts/loaded_unit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/data_words.hpp"
#include "core/units.hpp"
#include "device/values.hpp"
#include "experiments/bandwidth/parts/unit_bandwidth.hpp"
#include "experiments/chases/parts/chain.hpp"
#include "experiments/chases/parts/latency.hpp"
#include "experiments/chases/parts/loaded_walk.hpp"
#include "experiments/chases/parts/turns.hpp"
#include "experiments/common/execution_mode.hpp"
#include "experiments/common/fill.hpp"
#include "experiments/common/max_loops.hpp"

namespace percycle {
namespace {

// Layout of kernel pair `loaded_unit`. `marks` has the state of the walk and the turns of each row
// of loaders, a span of words apart.
const std::vector<KernelParameter> kLoadedUnitParameters{{"loops", "timed turns of 31 loads"},
                                                         {"warm_loops", "turns before the clocks are read"},
                                                         {"lanes", "lanes that walk: 1"},
                                                         {"tiles", "tiles that all loaders read"},
                                                         {"nodes", "local memory only: nodes to copy"},
                                                         {"stride_words", "local memory only"},
                                                         {"pause", "turns of 4 dependent multiply-adds after two tiles"},
                                                         {"patience", "looks of the walk for the loaders"},
                                                         {"most_turns", "turns of a loader"},
                                                         {"multiply", "of the arithmetic in a pause"},
                                                         {"add", ""}};
constexpr std::uint32_t kMostLoadingSubgroups = 8;

// All loaders together read about so fast, a turn of a pause takes about 16 cycles, and a loader's
// turn takes at least 64: 16 loads of a subgroup, each 4 cycles.
constexpr std::uint64_t kReadBytesPerCycle = 128;
constexpr std::uint64_t kCyclesPerLoaderPause = 16;
constexpr std::uint64_t kLeastTurnCycles = 64;

/// The lanes that may walk: the largest subgroup, so that no loader shares it.
std::uint32_t walking_lanes(const DeviceInfo& device) {
  return device.subgroup_sizes.empty() ? 2 : std::max(std::ranges::max(device.subgroup_sizes), 2u);
}

/// Loaders that are sure to stay together.
std::uint32_t loader_row(const DeviceInfo& device) {
  return device.subgroup_sizes.empty() ? 1 : std::ranges::min(device.subgroup_sizes);
}

std::uint32_t loader_count(const DeviceInfo& device, const LoadedUnit& unit) {
  return unit.load == 0 ? 0 : unit.group_size - walking_lanes(device);
}

MoverShape loader_tiles(const DeviceInfo& device, const LoadedUnit& unit) {
  const std::uint64_t tile = loader_shape(row_lanes(device), 1).tile_bytes();
  return loader_shape(row_lanes(device), static_cast<std::uint32_t>(unit.footprint / tile));
}

/// Turns of a pause after each turn of a loader.
std::uint32_t pause_of(const DeviceInfo& device, const LoadedUnit& unit) {
  if (unit.load == 0) return 0;
  const std::uint64_t bytes = loader_count(device, unit) * kLoaderTurnBytes;
  const std::uint64_t cycles = bytes / kReadBytesPerCycle * (100 - unit.load) / unit.load;
  return static_cast<std::uint32_t>((cycles + kCyclesPerLoaderPause - 1) / kCyclesPerLoaderPause);
}

const char* unit_path(const LoadedUnit& unit) { return unit.in_local ? "local" : "global"; }
const char* unit_form(const LoadedUnit& unit) { return unit.in_local ? "index" : "pointer"; }

/// Iterations of the walk's lane beside its timed loop and its wait: copies into local memory, the
/// warm-up and the marks.
std::uint64_t other_iterations(const DeviceInfo& device, const LoadedUnit& unit) {
  const std::uint64_t nodes = unit.chain_bytes / unit.stride_bytes;
  const std::uint64_t copies =
      unit.in_local ? 2 + (nodes + unit.footprint / (kVectorWords * sizeof(std::uint32_t))) / walking_lanes(device) : 0;
  return copies + warm_turns(nodes) + 2 * std::uint64_t{loader_count(device, unit)} / loader_row(device);
}

std::string loops_end(std::uint64_t iterations) {
  return fmt::format("the device ends the loops of a kernel after {} iterations, before the walk has ended", iterations);
}

std::optional<std::string> unit_loops_unsupported(const DeviceInfo& device, const LoadedUnit& unit) {
  if (!device.max_loop_iterations) return std::nullopt;
  const std::uint64_t quarter = *device.max_loop_iterations / 4;
  if (other_iterations(device, unit) < quarter && pause_of(device, unit) + 2 <= 2 * quarter) return std::nullopt;
  return loops_end(*device.max_loop_iterations);
}

/// Compares results of a dispatch with the closed forms.
class LoadedUnitCheck {
 public:
  LoadedUnitCheck(const DeviceInfo& info, const LoadedUnit& unit, ChainImage image, DataWords words)
      : loaders_(loader_count(info, unit)),
        pause_(pause_of(info, unit)),
        shape_(loader_tiles(info, unit)),
        image_(std::move(image)),
        words_(words) {}

  std::shared_ptr<Buffer> out, marks, sums;

  Outcome operator()(Device& on, std::uint64_t loops) {
    const auto left = read_values<std::uint64_t>(on, *out, loaded::kOutWords);
    write_values(on, *out, std::vector<std::uint64_t>(loaded::kOutWords));
    write_values(on, *marks, std::vector<std::uint32_t>(marks->bytes() / sizeof(std::uint32_t)));
    const bool missed = left[loaded::kMissedWord] != 0;
    if (!missed) walked_ += (warm_turns(image_.chain.nodes()) + loops) * kLoadsPerTurn;
    if (Outcome end = loaded::check_end(left[loaded::kEndWord], image_, walked_); end.status != Status::ok) return end;
    if (Outcome outcome = check_sums(on); outcome.status != Status::ok) return outcome;
    if (!missed && left[loaded::kGaveUpWord] == 0) return {};
    const auto& limit = on.info().max_loop_iterations;
    return {Status::unsupported,
            limit ? loops_end(*limit) : "the subgroups did not run at the same time, so no data moved during the walk"};
  }

 private:
  Outcome check_sums(Device& on) const {
    if (loaders_ == 0) return {};
    const auto of_lanes = read_values<std::uint32_t>(on, *sums, loaded::kSumWords * loaders_);
    const auto word = [&](std::uint64_t i) { return words_.word(i); };
    for (std::uint32_t loader = 0; loader < loaders_; ++loader) {
      const std::uint32_t found = of_lanes[loaded::kSumWords * loader];
      const std::uint32_t turns = of_lanes[loaded::kSumWords * loader + 1];
      const std::uint32_t right = loader_sum(shape_, loader, turns, pause_, word);
      if (found == right && turns > 0) continue;
      return {Status::invalid,
              fmt::format("the sum of loader {} after {} turns: {:#x} instead of {:#x}", loader, turns, found, right)};
    }
    return {};
  }

  std::uint32_t loaders_;
  std::uint32_t pause_;
  MoverShape shape_;
  ChainImage image_;
  DataWords words_;
  std::uint64_t walked_ = 0;
};

KernelDesc loaded_unit_kernel(const DeviceInfo& device, const LoadedUnit& unit) {
  const BindingKind kind = unit.in_local ? BindingKind::storage : BindingKind::address;
  KernelDesc desc{.name = "loaded_unit",
                  .definitions = {{"PATH", unit.in_local ? "PATH_LOCAL" : "PATH_GLOBAL"},
                                  {"WALKERS", std::to_string(walking_lanes(device))},
                                  {"LANES", std::to_string(loader_row(device))},
                                  {"ROW_LANES", std::to_string(row_lanes(device))},
                                  {"SPAN", std::to_string(loaded::kSpan)},
                                  {"UNROLL", std::to_string(kLoaderUnroll)}},
                  .local_size = walking_lanes(device) + loader_count(device, unit),
                  .bindings = {{"chain", kind}, {"data", kind}, {"link"}, {"out"}, {"marks"}, {"sums"}},
                  .parameters = kLoadedUnitParameters};
  if (unit.in_local) {
    desc.definitions["LINK_WORDS"] = std::to_string(unit.chain_bytes / sizeof(std::uint32_t));
    desc.definitions["VECTOR_COUNT"] = std::to_string(unit.footprint / (kVectorWords * sizeof(std::uint32_t)));
  }
  return desc;
}

KernelValues loaded_unit_values(const DeviceInfo& device, const LoadedUnit& unit) {
  const std::uint32_t pause = pause_of(device, unit);
  const auto nodes = static_cast<std::uint32_t>(unit.chain_bytes / unit.stride_bytes);
  return {{"loops", 0},
          {"warm_loops", static_cast<std::uint32_t>(warm_turns(nodes))},
          {"lanes", 1},
          {"tiles", loader_tiles(device, unit).tiles},
          {"nodes", nodes},
          {"stride_words", static_cast<std::uint32_t>(unit.stride_bytes / sizeof(std::uint32_t))},
          {"pause", pause},
          {"patience", loaded::patience(device)},
          {"most_turns", loaded::most_turns(device, kLeastTurnCycles + pause * kCyclesPerLoaderPause / 2, pause + 2)},
          {"multiply", kPauseMultiply},
          {"add", kPauseAdd}};
}

}  // namespace

std::uint32_t loaded_unit_group(const DeviceInfo& device) {
  const std::uint32_t each = walking_lanes(device);
  const std::uint32_t room = device.max_group_size / each;
  return each * std::clamp(room, 2u, 1 + kMostLoadingSubgroups);
}

std::uint64_t loader_footprint(const DeviceInfo& device) { return loader_shape(row_lanes(device), 1).tile_bytes(); }

std::optional<std::string> loaded_unit_unsupported(const DeviceInfo& device, const LoadedUnit& unit) {
  if (device.type == DeviceType::cpu) return "a CPU runs the subgroups of a work-group one after the other";
  if (!device.unit_clock && !device.device_clock)
    return "a kernel cannot read a clock, and the time of the dispatch is not that of the walk";
  if (device.subgroup_sizes.empty()) return "the device reports no subgroup size";
  if (auto reason =
          chase_unsupported(device, unit_path(unit), unit_form(unit), false, std::nullopt, unit.stride_bytes, unit.chain_bytes))
    return reason;
  if (unit.in_local && unit.chain_bytes + unit.footprint > device.local_memory_bytes)
    return fmt::format("the walk and the data take {} of local memory, a work-group has {}",
                       format_bytes(unit.chain_bytes + unit.footprint), format_bytes(device.local_memory_bytes));
  if (auto reason = group_unsupported(device, unit.group_size, std::nullopt)) return reason;
  return unit_loops_unsupported(device, unit);
}

Trial loaded_unit_trial(Device& device, const LoadedUnit& unit, std::uint64_t seed) {
  const DeviceInfo& info = device.info();
  const ChainImage image = chase_image(info, Chase{.path = unit_path(unit),
                                                   .form = unit_form(unit),
                                                   .chain = Chain(unit.chain_bytes / unit.stride_bytes, ChainOrder::random, seed),
                                                   .stride_bytes = unit.stride_bytes});
  const DataWords words(seed);
  const std::uint32_t loading = loader_count(info, unit);
  const auto chain = device.create(BufferDesc{image.layout.span(image.chain.nodes())});
  const auto link = device.create(BufferDesc{sizeof(std::uint64_t)});
  const auto data = device.create(BufferDesc{unit.footprint});

  const auto check = std::make_shared<LoadedUnitCheck>(info, unit, image, words);
  check->out = buffer_of(device, std::vector<std::uint64_t>(loaded::kOutWords));
  check->marks = buffer_of(device, std::vector<std::uint32_t>(std::size_t{1 + loading / loader_row(info)} * loaded::kSpan));
  check->sums = device.create(BufferDesc{std::max(loading, 1u) * loaded::kSumWords * sizeof(std::uint32_t)});

  Trial trial;
  trial.setup = fill(device, data, words);
  const auto pieces = build_chain(device, chain, link, image);
  trial.setup.insert(trial.setup.end(), pieces.begin(), pieces.end());
  trial.timed.dispatch = {device.create(loaded_unit_kernel(info, unit)),
                          {{chain, nullptr},
                           {data, nullptr},
                           {link, nullptr},
                           {check->out, nullptr},
                           {check->marks, nullptr},
                           {check->sums, nullptr}},
                          loaded_unit_values(info, unit),
                          1};
  trial.timed.ops_per_loop = kLoadsPerTurn;
  trial.timed.turn = {{.path = unit.in_local ? MemoryPath::local : MemoryPath::global,
                       .kind = AccessKind::read,
                       .width = unit.in_local ? 4u : 8u,
                       .count = kLoadsPerTurn}};
  trial.timed.max_loops = max_loops(info, loaded::other_loops(info, other_iterations(info, unit)));
  trial.timed.verify = [check](Device& on, std::uint64_t loops) { return (*check)(on, loops); };
  trial.clocks = ClockReadings{check->out, 0};
  trial.traffic = TrafficReading{.buffer = check->out,
                                 .offset = loaded::kMovedWord * sizeof(std::uint64_t),
                                 .bytes_each = loader_row(info) * kLoaderTurnBytes,
                                 .groups = loading > 0 ? 1u : 0u};
  trial.sample_ns = loaded::walk_ns(info);
  trial.ops_per_lap = image.chain.nodes();
  observe_subgroup_size(trial, device);
  return trial;
}

}  // namespace percycle
