#include "expected/texture_filter.hpp"

#include <vector>

#include "sim/emulations/emulations.hpp"

namespace percycle::sim {
namespace {

/// A sample costs as much as a texel: no model has filters. The turns before the clocks are read
/// take no time.
void texture_filter(const Execution& run, MemoryModel& memory) {
  const TexelBlocks blocks{.block_width = run.number("BLOCK_WIDTH"),
                           .lanes = TexelBlocks::kSide * TexelBlocks::kSide / run.number("LOADS"),
                           .channels = run.number("CHANNELS")};
  const auto image = run.bindings[0]->contents();
  const auto width = static_cast<std::uint32_t>(image.size() / blocks.texels());
  std::vector<Stream> streams;
  for (std::uint32_t group = 0; group < run.groups; ++group) {
    streams.push_back({.group = group,
                       .path = MemoryPath::texture,
                       .kind = AccessKind::read,
                       .binding = 0,
                       .base = 0,
                       .bytes = image.size(),
                       .accesses = std::uint64_t{run.parameter("loops")} * blocks.loads(),
                       .lanes = run.kernel.local_size,
                       .width = width,
                       .lane_stride = width});
  }
  put_values(*run.bindings[2], memory.stream(streams));

  const std::uint32_t bits = 8 * width / blocks.channels;
  const auto channel = [&](std::uint64_t index) {
    return channel_of(bits, index, [&](std::uint64_t i) { return word_at(image, i); }) == 0 ? 0.0 : 1.0;
  };
  const double turns = run.parameter("loops") + run.parameter("warm_loops");
  std::vector<float> of_lane;
  for (std::uint32_t lane = 0; lane < blocks.lanes; ++lane)
    of_lane.push_back(static_cast<float>(turns * filtered_sum(blocks, lane, run.is("LINEAR", "1"), channel)));
  std::vector<float> out(std::size_t{run.groups} * run.kernel.local_size);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = of_lane[i % run.kernel.local_size % blocks.lanes];
  put_values(*run.bindings[1], out);
}

const RegisterEmulation registered_texture_filter("texture_filter", texture_filter);

}  // namespace
}  // namespace percycle::sim
