#include "expected/texture_filter.hpp"

#include <vector>

#include "sim/emulations/emulations.hpp"
#include "sim/emulations/texel_stream.hpp"

namespace percycle::sim {
namespace {

/// A sample costs as much as a texel: no model has filters.
void texture_filter(const Execution& run, MemoryModel& memory) {
  const TexelBlocks blocks{.block_width = run.number("BLOCK_WIDTH"),
                           .lanes = TexelBlocks::kSide * TexelBlocks::kSide / run.number("LOADS"),
                           .channels = run.number("CHANNELS")};
  const std::uint32_t width = stream_texels(run, memory, blocks);
  const auto image = run.bindings[0]->contents();
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
