#include "experiments/chases/parts/fine_chase.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "experiments/chases/parts/chain_setup.hpp"
#include "experiments/common/clock_pair.hpp"
#include "vocabulary/geometry.hpp"

namespace percycle {
namespace {

constexpr std::uint64_t kSamples = 16;  // rows of the series
constexpr std::uint64_t kFreshDispatches =
    96;  // memory for that many first touches: samples, and what calibrates and settles before them
constexpr std::size_t kLoopsWord = 0;
constexpr std::size_t kWarmStepsWord = 1;
constexpr std::size_t kStepsWord = 2;
constexpr std::uint64_t kEndOffset = 4 * sizeof(std::uint64_t);  // behind the four clocks
constexpr std::uint64_t kTicksOffset = kEndOffset + sizeof(std::uint64_t);

Meaning fine_meaning(const ChainImage& image, MemoryPath path) {
  return [image, path](const Execution& run, MemoryModel& memory) {
    const bool constant = path == MemoryPath::constant;
    const auto state = run.bindings[constant ? 0 : 1]->bytes();
    const auto out = run.bindings[constant ? 1 : 2]->bytes();
    const std::uint64_t base = image.layout.pointers ? run.addresses[0] : 0;
    std::uint64_t link = 0;
    std::memcpy(&link, state.data(), sizeof link);
    std::uint64_t position = image.position_of(link, base);
    const std::uint32_t bytes = image.layout.pointers ? 8 : 4;
    const auto load = [&] {
      memory.access({}, path, 0, image.layout.offset(image.chain.place(position++)), bytes, AccessKind::read);
    };
    for (std::uint32_t i = 0; i < run.parameters[kWarmStepsWord]; ++i) load();
    ClockPair clocks(memory);
    const std::uint32_t timed = run.parameters[kLoopsWord] * run.parameters[kStepsWord];
    for (std::uint32_t i = 0; i < timed; ++i) {
      const std::uint64_t begin = memory.unit_clock();
      load();
      const auto ticks = static_cast<std::uint32_t>(memory.unit_clock() - begin);
      std::memcpy(out.data() + kTicksOffset + i * sizeof ticks, &ticks, sizeof ticks);
    }
    clocks.end();
    clocks.write(out);
    link = image.link_to(position, base);
    const std::uint64_t end = image.layout.offset(image.chain.place(position));
    std::memcpy(state.data(), &link, sizeof link);
    std::memcpy(out.data() + kEndOffset, &end, sizeof end);
  };
}

/// Reads of other memory that leave nothing else in the caches.
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

Trial fine_chase_trial(Device& device, const Chase& asked, FineChase kind, std::uint64_t evict_bytes, std::uint64_t seed) {
  const bool fresh = kind == FineChase::first_touch;
  Chase chase = asked;
  const std::uint64_t steps = fresh ? chase.chain.nodes() : kFineSteps / chase.chain.nodes() * chase.chain.nodes();
  if (fresh && chase.path != "constant") chase.chain = Chain(steps * kFreshDispatches, ChainOrder::sequential, seed);
  const ChasePath& path = chase_path(chase.path);
  const ChainImage image = chase_image(device.info(), chase);
  const std::string name = chase.path == "global" ? "PATH_GLOBAL" : chase.path == "texture" ? "PATH_TEXTURE" : "PATH_CONSTANT";
  KernelDesc desc{.name = "geometry",
                  .definitions = {{"PATH", name}, {"MOST_STEPS", std::to_string(kFineSteps)}},
                  .local_size = chase_group_size(device.info(), chase.path, 1, std::nullopt),
                  .bindings = {},
                  .parameter_words = 5,
                  .constants = {},
                  .subgroup_size = std::nullopt,
                  .meaning = fine_meaning(image, path.memory)};
  if (path.binding) desc.bindings.push_back(*path.binding);
  desc.bindings.insert(desc.bindings.end(), {BindingKind::storage, BindingKind::storage});

  Trial trial;
  const auto state = device.create(BufferDesc{sizeof(std::uint64_t)});
  const auto out = device.create(BufferDesc{kTicksOffset + kFineSteps * sizeof(std::uint32_t)});
  std::vector<Binding> bindings;
  if (path.binding) {
    const auto memory = device.create(BufferDesc{image.layout.span(image.chain.nodes())});
    trial.setup = build_chain(device, memory, state, image);
    bindings.push_back(chase.path == "texture" ? Binding{nullptr, device.create(ImageDesc{memory, TexelFormat::r32_uint})}
                                               : Binding{memory, nullptr});
  } else {
    desc.constants = constant_chain(image, seed);
    const std::uint64_t start = image.link_to(0, 0);
    device.write(*state, 0, std::as_bytes(std::span(&start, 1)));
  }
  if (fresh && evict_bytes > 0) {
    const auto dispatches = evict(device, evict_bytes, seed);
    trial.setup.insert(trial.setup.end(), dispatches.begin(), dispatches.end());
  }
  bindings.push_back({state, nullptr});
  bindings.push_back({out, nullptr});

  const std::uint64_t warm_steps = fresh ? 0 : 2 * image.chain.nodes();
  trial.timed.dispatch = {
      device.create(desc),
      bindings,
      {0, static_cast<std::uint32_t>(warm_steps), static_cast<std::uint32_t>(steps), image.layout.link_unit, 1},
      1};
  trial.timed.loops_word = kLoopsWord;
  trial.timed.ops_per_loop = steps;
  trial.timed.turn = {{.path = path.memory, .width = image.layout.pointers ? 8u : 4u, .count = 1}};
  trial.timed.max_loops = 1;
  trial.timed.verify = [out, image, warm_steps, steps, walked = std::uint64_t{0}](Device& on, std::uint64_t loops) mutable {
    walked += warm_steps + loops * steps;
    const std::uint64_t expected = image.layout.offset(image.chain.place(walked));
    std::uint64_t end = 0;
    on.read(*out, kEndOffset, std::as_writable_bytes(std::span(&end, 1)));
    if (end == expected) return Outcome{};
    return Outcome{Status::invalid,
                   fmt::format("ended at offset {} of the chain instead of {} after {} loads", end, expected, walked)};
  };
  trial.clocks = ClockReadings{out, 0};
  trial.series = SeriesReading{series::kTicks, out, kTicksOffset, steps};
  trial.samples = kSamples;
  return trial;
}

}  // namespace percycle
