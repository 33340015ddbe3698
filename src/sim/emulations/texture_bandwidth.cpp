#include <cstring>
#include <vector>

#include "expected/texture_bandwidth.hpp"
#include "sim/emulations/emulations.hpp"
#include "sim/emulations/texel_stream.hpp"

namespace percycle::sim {
namespace {

/// Uses the words in the image.
void texture_bandwidth(const Execution& run, MemoryModel& memory) {
  const TexelBlocks blocks{.block_width = run.number("BLOCK_WIDTH"),
                           .stride = run.number("STRIDE"),
                           .lanes = TexelBlocks::kSide * TexelBlocks::kSide / run.number("LOADS"),
                           .channels = run.number("CHANNELS")};
  const std::uint32_t width = stream_texels(run, memory, blocks);
  const auto image = run.bindings[0]->contents();
  const bool is_float = run.is_defined("FLOAT_TEXELS");
  const SweepSum sums = blocks.sums([&](std::uint64_t index) {
    const auto word = [&](std::uint64_t i) { return word_at(image, i); };
    const std::uint32_t bits = 8 * width / blocks.channels;
    return is_float ? float_channel_of(bits, index, word) : channel_of(bits, index, word);
  });
  const std::uint64_t turns = std::uint64_t{run.parameter("loops")} + run.parameter("warm_loops");
  const auto out = run.bindings[1]->bytes();
  for (std::uint32_t i = 0; i < run.groups * run.kernel.local_size; ++i) {
    put_word(out, i, sums.value(i % run.kernel.local_size % blocks.lanes, turns));
  }
}

const RegisterEmulation registered_texture_bandwidth("texture_bandwidth", texture_bandwidth);

}  // namespace
}  // namespace percycle::sim
