#include "experiments/chases/parts/private_caches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "core/random.hpp"
#include "core/units.hpp"
#include "device/values.hpp"
#include "experiments/chases/parts/chain.hpp"
#include "experiments/chases/parts/latency.hpp"
#include "experiments/chases/parts/turns.hpp"
#include "experiments/common/execution_mode.hpp"
#include "experiments/common/max_loops.hpp"

namespace percycle {
namespace {

constexpr std::uint32_t kMostSubgroups = 8;
constexpr std::uint64_t kMostConstants = 64 * kKiB;   // some drivers allow 4 GiB
constexpr std::uint64_t kMostHostBytes = 256 * kMiB;  // the host writes it in less than a second
const std::vector<KernelParameter> kSideChainsParameters{{"loops", "timed turns of 31 loads"},
                                                         {"warm_loops", "turns before the clocks are read"},
                                                         {"first", "bit s: subgroup s of work-group 0 walks"},
                                                         {"others", "the same for every other work-group"}};

/// A chain and its place in the buffer.
struct PlacedChain {
  ChainImage image;
  std::uint64_t base = 0;  ///< byte of node 0

  std::uint32_t link_to(std::uint64_t position) const {
    return static_cast<std::uint32_t>(base / image.layout.link_unit + image.link_to(position, 0));
  }
};

/// A subgroup, its chain and its start.
struct Walker {
  std::uint32_t group = 0;
  std::uint32_t subgroup = 0;
  PlacedChain chain;
  std::uint64_t start = 0;
};

std::uint64_t chain_count(const SideChains& chains) {
  return static_cast<std::uint64_t>(std::popcount(chains.walking)) + chains.groups - 1;
}

bool is_constant(const SideChains& chains) { return chains.path == "constant"; }

/// Chains that are written. Constants are part of an OpenCL program: points with different numbers
/// of walkers have the same ones, so that they share it.
std::uint64_t written_chains(const DeviceInfo& device, const SideChains& chains) {
  if (!is_constant(chains)) return chain_count(chains);
  return std::max(chain_count(chains),
                  std::min<std::uint64_t>(kMostSubgroups, std::min(device.constant_bytes, kMostConstants) / chains.chain_bytes));
}

std::vector<PlacedChain> placed_chains(const DeviceInfo& device, const SideChains& chains, std::uint64_t seed) {
  const ChainLayout layout{.stride_bytes = chains.stride_bytes, .link_unit = is_constant(chains) ? 16u : 4u};
  std::vector<PlacedChain> all;
  for (std::uint64_t i = 0; i < written_chains(device, chains); ++i) {
    const Chain chain(chains.chain_bytes / chains.stride_bytes, ChainOrder::random, seed + i);
    all.push_back({{chain, layout}, i * chains.chain_bytes});
  }
  return all;
}

std::vector<Walker> all_walkers(const SideChains& chains, const GroupShape& shape, const std::vector<PlacedChain>& placed) {
  std::vector<Walker> walkers;
  for (std::uint32_t subgroup = 0; subgroup < shape.subgroups; ++subgroup) {
    if ((chains.walking >> subgroup & 1u) != 0) walkers.push_back({0, subgroup, placed[walkers.size()], 0});
  }
  const PlacedChain& last = placed.back();
  for (std::uint32_t subgroup = 0; chains.groups == 2 && subgroup < shape.subgroups; ++subgroup) {
    walkers.push_back({1, subgroup, last, subgroup * last.image.chain.nodes() / shape.subgroups});
  }
  return walkers;
}

/// The words of the buffer: links with incompressible filler between them.
std::vector<std::uint32_t> contents(const SideChains& chains, const std::vector<PlacedChain>& placed, std::uint64_t seed) {
  std::vector<std::uint32_t> words(placed.size() * chains.chain_bytes / sizeof(std::uint32_t));
  const std::uint64_t link_words = placed.front().image.layout.link_unit / sizeof(std::uint32_t);
  SplitMix64 filler(seed);
  for (auto& word : words) word = static_cast<std::uint32_t>(filler());
  for (const auto& chain : placed) {
    std::uint32_t at = chain.link_to(0);
    for (std::uint64_t position = 1; position <= chain.image.chain.nodes(); ++position) {
      const std::uint32_t next = chain.link_to(position);
      words[at * link_words] = next;
      at = next;
    }
  }
  return words;
}

/// The index of a subgroup's first lane among all invocations.
std::size_t first_lane(const GroupShape& shape, const Walker& walker) {
  return (std::size_t{walker.group} * shape.subgroups + walker.subgroup) * shape.subgroup_size;
}

/// The link of every lane, `walked` loads after its start; 0 for a lane that does not walk.
std::vector<std::uint32_t> links(const GroupShape& shape, std::uint32_t groups, const std::vector<Walker>& walkers,
                                 std::uint64_t walked) {
  std::vector<std::uint32_t> all(std::size_t{groups} * shape.subgroups * shape.subgroup_size);
  for (const auto& walker : walkers) {
    std::fill_n(all.begin() + static_cast<std::ptrdiff_t>(first_lane(shape, walker)), shape.subgroup_size,
                walker.chain.link_to(walker.start + walked));
  }
  return all;
}

}  // namespace

GroupShape side_group(const DeviceInfo& device) {
  if (device.subgroup_sizes.empty()) return {};
  const std::uint32_t size = device.subgroup_sizes.front();
  return {size, std::clamp(device.max_group_size / size, 1u, kMostSubgroups)};
}

std::optional<std::string> side_chains_unsupported(const DeviceInfo& device, const SideChains& chains) {
  const std::uint64_t bytes = chain_count(chains) * chains.chain_bytes;
  if (auto reason = chase_unsupported(device, chains.path, "index", false, std::nullopt, chains.stride_bytes, bytes))
    return reason;
  if (bytes > kMostHostBytes) {
    return fmt::format("the host writes chains of at most {}; these take {}", format_bytes(kMostHostBytes), format_bytes(bytes));
  }
  return std::nullopt;
}

namespace {

/// Adds the chains to the kernel: as a binding, which is returned, or as constants.
std::vector<Binding> bind_chains(Device& device, const ChasePath& path, const SideChains& chains,
                                 const std::vector<PlacedChain>& placed, std::uint64_t seed, KernelDesc& desc,
                                 std::vector<Dispatch>& setup) {
  const auto words = contents(chains, placed, seed);
  if (!path.binding) {
    const auto bytes = std::as_bytes(std::span(words));
    desc.constants.assign(bytes.begin(), bytes.end());
    return {};
  }
  const Binding binding = bound(device, buffer_of(device, words), *path.binding);
  desc.bindings.push_back({"chain", *path.binding});
  const auto& [chain, layout] = placed.front().image;
  if (chain.nodes() > kWarmLapNodes) {
    // Warms the shared levels; the order does not matter.
    const ChainImage whole{Chain(chain.nodes() * placed.size(), ChainOrder::sequential, seed), layout};
    setup = touch_chain(device, binding, *path.binding, whole);
  }
  return {binding};
}

}  // namespace

Trial side_chains_trial(Device& device, const SideChains& chains, std::uint64_t seed) {
  const GroupShape shape = side_group(device.info());
  const ChasePath& path = chase_path(chains.path);
  const auto placed = placed_chains(device.info(), chains, seed);
  const auto walkers = all_walkers(chains, shape, placed);
  const auto starts = links(shape, chains.groups, walkers, 0);
  const auto state = buffer_of(device, starts, kClockBytes);
  KernelDesc desc{.name = "private_caches",
                  .definitions = {{"PATH", path.definition}, {"SUBGROUP_SIZE", std::to_string(shape.subgroup_size)}},
                  .local_size = shape.subgroups * shape.subgroup_size,
                  .parameters = kSideChainsParameters};
  if (device.info().subgroup_size_control) desc.subgroup_size = shape.subgroup_size;

  Trial trial;
  std::vector<Binding> bindings = bind_chains(device, path, chains, placed, seed, desc, trial.setup);
  desc.bindings.push_back({"state"});
  bindings.push_back({state, nullptr});
  const std::uint64_t nodes = placed.front().image.chain.nodes();
  const std::uint64_t warm = warm_turns(nodes);
  const std::uint32_t everyone = (1u << shape.subgroups) - 1;
  trial.timed.dispatch = {
      device.create(desc),
      bindings,
      {{"loops", 0}, {"warm_loops", static_cast<std::uint32_t>(warm)}, {"first", chains.walking}, {"others", everyone}},
      chains.groups};
  trial.timed.ops_per_loop = kLoadsPerTurn;
  trial.timed.turn = {{.path = path.memory, .count = kLoadsPerTurn}};
  trial.timed.max_loops = max_loops(device.info(), warm);
  trial.timed.verify = [state, shape, groups = chains.groups, walkers, warm, walked = std::uint64_t{0}](
                           Device& on, std::uint64_t loops) mutable {
    walked += (warm + loops) * kLoadsPerTurn;
    const auto expected = links(shape, groups, walkers, walked);
    const auto ends = read_results<std::uint32_t>(on, *state, expected.size());
    const auto wrong = static_cast<std::uint64_t>(std::mismatch(ends.begin(), ends.end(), expected.begin()).first - ends.begin());
    if (wrong == ends.size()) return Outcome{};
    return Outcome{Status::invalid, fmt::format("invocation {} stands at word {} of the chains instead of {} after {} loads",
                                                wrong, ends[wrong], expected[wrong], walked)};
  };
  trial.clocks = ClockReadings{state, 0};
  trial.ops_per_lap = nodes;
  observe_subgroup_size(trial, device);
  return trial;
}

}  // namespace percycle
