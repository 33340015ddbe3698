#include "experiments/chases/parts/sharing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "device/values.hpp"
#include "experiments/chases/parts/chain.hpp"
#include "experiments/chases/parts/latency.hpp"
#include "experiments/chases/parts/turns.hpp"
#include "experiments/common/max_loops.hpp"

namespace percycle {
namespace {

const std::vector<KernelParameter> kPathTurnsParameters{
    {"loops", "timed turns of 31 loads of each chain"},
    {"warm_loops", "turns before the clocks are read"},
    {"lanes", "lanes that walk: 1, unknown to the compiler, so that addresses stay per lane (see latency)"}};

using Links = std::array<std::uint32_t, 2>;
using Images = std::array<ChainImage, 2>;

ChainImage image_of(const DeviceInfo& device, const PathTurns::TurnSide& side, std::uint64_t seed) {
  return chase_image(device, Chase{.path = side.path,
                                   .form = "index",
                                   .whole_subgroup = false,
                                   .chain = Chain(side.bytes / side.stride_bytes, ChainOrder::random, seed),
                                   .stride_bytes = side.stride_bytes});
}

Links links_at(const Images& images, std::uint64_t position) {
  return {static_cast<std::uint32_t>(images[0].link_to(position, 0)), static_cast<std::uint32_t>(images[1].link_to(position, 0))};
}

/// Memory that holds a chain, bound for its path. Adds the dispatches that warm it to `setup`.
Binding bind_chain(Device& device, const ChasePath& path, const ChainImage& image, std::uint64_t seed,
                   std::vector<Dispatch>& setup) {
  const auto memory = buffer_of(device, constant_chain(image, seed));
  Binding binding = bound(device, memory, *path.binding);
  if (image.chain.nodes() > kWarmLapNodes) {
    const auto touches = touch_chain(device, binding, *path.binding, image);
    setup.insert(setup.end(), touches.begin(), touches.end());
  }
  return binding;
}

}  // namespace

std::optional<std::string> path_turns_unsupported(const DeviceInfo& device, const PathTurns& turns) {
  for (const auto& side : {turns.first, turns.second}) {
    if (auto reason = chase_unsupported(device, side.path, "index", false, std::nullopt, side.stride_bytes, side.bytes))
      return reason;
  }
  return std::nullopt;
}

Trial path_turns_trial(Device& device, const PathTurns& turns, std::uint64_t seed) {
  const ChasePath& first = chase_path(turns.first.path);
  const ChasePath& second = chase_path(turns.second.path);
  const Images images{image_of(device.info(), turns.first, seed), image_of(device.info(), turns.second, seed + 1)};
  KernelDesc desc{.name = "sharing",
                  .definitions = {{"FIRST", first.definition}},
                  .local_size = chase_group_size(device.info(), turns.second.path, 1, std::nullopt),
                  .parameters = kPathTurnsParameters};
  Trial trial;
  std::vector<Binding> bindings;
  if (first.binding) {
    desc.bindings.push_back({"texels", *first.binding});
    bindings.push_back(bind_chain(device, first, images[0], seed, trial.setup));
  } else {
    desc.constants = constant_chain(images[0], seed);
  }
  desc.bindings.insert(desc.bindings.end(), {{"chain"}, {"state"}});
  bindings.push_back(bind_chain(device, second, images[1], seed + 1, trial.setup));
  const auto state = buffer_of(device, links_at(images, 0), kClockBytes);
  bindings.push_back({state, nullptr});

  const std::uint64_t nodes = std::max(images[0].chain.nodes(), images[1].chain.nodes());
  const std::uint64_t warm = warm_turns(nodes);
  trial.timed.dispatch = {
      device.create(desc), bindings, {{"loops", 0}, {"warm_loops", static_cast<std::uint32_t>(warm)}, {"lanes", 1}}, 1};
  trial.timed.ops_per_loop = 2 * kLoadsPerTurn;
  const auto loads = [](const ChasePath& path) { return TurnAccess{.path = path.memory, .count = kLoadsPerTurn}; };
  trial.timed.turn = {loads(first), loads(second)};
  trial.timed.max_loops = max_loops(device.info(), warm);
  trial.timed.verify = [state, images, warm, walked = std::uint64_t{0}](Device& on, std::uint64_t loops) mutable {
    walked += (warm + loops) * kLoadsPerTurn;
    const Links expected = links_at(images, walked);
    const auto ends = read_results<std::uint32_t>(on, *state, expected.size());
    for (std::size_t i = 0; i < ends.size(); ++i) {
      if (ends[i] == expected[i]) continue;
      return Outcome{Status::invalid, fmt::format("the {} chain ended at link {} instead of {} after {} loads",
                                                  i == 0 ? "first" : "second", ends[i], expected[i], walked)};
    }
    return Outcome{};
  };
  trial.clocks = ClockReadings{state, 0};
  trial.ops_per_lap = 2 * nodes;
  return trial;
}

}  // namespace percycle
