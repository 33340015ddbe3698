#include "experiments/chases/parts/geometry.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "device/values.hpp"
#include "experiments/chases/parts/chain.hpp"
#include "vocabulary/geometry.hpp"

namespace percycle {
namespace {

constexpr std::uint64_t kRows = 16;  // rows of the series
// Memory for this many first touches: samples, and the runs that calibrate and settle before them.
constexpr std::uint64_t kFreshDispatches = 96;
const std::vector<KernelParameter> kFineChaseParameters{
    {"loops", "0 or 1: whether the timed steps happen"},
    {"warm_steps", "loads before the clocks are read"},
    {"steps", "timed loads, at most MOST_STEPS"},
    {"link_unit", "bytes of one unit of a 32-bit link"},
    {"lanes", "lanes that walk: 1, unknown to the compiler, so that addresses stay per lane (see latency)"}};
constexpr std::uint64_t kTicksOffset = kClockBytes + sizeof(std::uint64_t);

/// The dispatches that read other memory, so that no cache keeps anything else.
std::vector<Dispatch> evict(Device& device, std::uint64_t bytes, std::uint64_t seed) {
  constexpr std::uint64_t kStride = 64;
  bytes = std::min(bytes, chase_capacity(device.info(), "global"));
  const ChainImage image{Chain(std::max<std::uint64_t>(bytes / kStride, 2), ChainOrder::random, seed), {.stride_bytes = kStride}};
  const auto memory = device.create(BufferDesc{image.layout.span(image.chain.nodes())});
  const auto state = device.create(BufferDesc{sizeof(std::uint64_t)});
  auto dispatches = build_chain(device, memory, state, image);
  const BindingKind kind = device.info().buffer_addresses ? BindingKind::address : BindingKind::storage;
  const auto touches = touch_chain(device, {memory, nullptr}, kind, image);
  dispatches.insert(dispatches.end(), touches.begin(), touches.end());
  return dispatches;
}

}  // namespace

Trial fine_chase_trial(Device& device, const Chase& requested, FineChase kind, std::uint64_t evict_bytes, std::uint64_t seed) {
  const bool fresh = kind == FineChase::first_touch;
  Chase chase = requested;
  const std::uint64_t steps = fresh ? chase.chain.nodes() : kFineSteps / chase.chain.nodes() * chase.chain.nodes();
  if (fresh && chase.path != "constant") chase.chain = Chain(steps * kFreshDispatches, ChainOrder::sequential, seed);
  const ChasePath& path = chase_path(chase.path);
  const ChainImage image = chase_image(device.info(), chase);
  const std::string name = chase.path == "global" ? "PATH_GLOBAL" : chase.path == "texture" ? "PATH_TEXTURE" : "PATH_CONSTANT";
  KernelDesc desc{.name = "geometry",
                  .definitions = {{"PATH", name}, {"MOST_STEPS", std::to_string(kFineSteps)}},
                  .local_size = chase_group_size(device.info(), chase.path, 1, std::nullopt),
                  .parameters = kFineChaseParameters};
  if (path.binding) desc.bindings.push_back({"chain", *path.binding});
  desc.bindings.insert(desc.bindings.end(), {{"state"}, {"out"}});

  Trial trial;
  const auto state = device.create(BufferDesc{sizeof(std::uint64_t)});
  const auto out = device.create(BufferDesc{kTicksOffset + kFineSteps * sizeof(std::uint32_t)});
  std::vector<Binding> bindings;
  if (path.binding) {
    const auto memory = device.create(BufferDesc{image.layout.span(image.chain.nodes())});
    trial.setup = build_chain(device, memory, state, image);
    bindings.push_back(bound(device, memory, *path.binding));
  } else {
    desc.constants = constant_chain(image, seed);
    write_values(device, *state, std::array{image.link_to(0, 0)});
  }
  if (fresh && evict_bytes > 0) {
    const auto dispatches = evict(device, evict_bytes, seed);
    trial.setup.insert(trial.setup.end(), dispatches.begin(), dispatches.end());
  }
  bindings.push_back({state, nullptr});
  bindings.push_back({out, nullptr});

  const std::uint64_t warm_steps = fresh ? 0 : 2 * image.chain.nodes();
  trial.timed.dispatch = {device.create(desc),
                          bindings,
                          {{"loops", 0},
                           {"warm_steps", static_cast<std::uint32_t>(warm_steps)},
                           {"steps", static_cast<std::uint32_t>(steps)},
                           {"link_unit", image.layout.link_unit},
                           {"lanes", 1}},
                          1};
  trial.timed.ops_per_loop = steps;
  trial.timed.turn = {{.path = path.memory, .width = image.layout.pointers ? 8u : 4u, .count = 1}};
  trial.timed.max_loops = 1;
  trial.timed.verify = [out, image, warm_steps, steps, walked = std::uint64_t{0}](Device& on, std::uint64_t loops) mutable {
    walked += warm_steps + loops * steps;
    const std::uint64_t expected = image.layout.offset(image.chain.place(walked));
    const std::uint64_t end = read_results<std::uint64_t>(on, *out, 1).front();
    if (end == expected) return Outcome{};
    return Outcome{Status::invalid,
                   fmt::format("ended at offset {} of the chain instead of {} after {} loads", end, expected, walked)};
  };
  trial.clocks = ClockReadings{out, 0};
  trial.series = SeriesReading{series::kTicks, out, kTicksOffset, steps};
  trial.samples = kRows;
  return trial;
}

}  // namespace percycle
