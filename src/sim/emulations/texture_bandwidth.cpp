#include <cstring>
#include <vector>

#include "expected/texture_bandwidth.hpp"
#include "sim/emulations/emulations.hpp"

namespace percycle::sim {
namespace {

/// Uses the words in the image. A block costs the same as a row: no model knows how a driver tiles
/// an image. The turns before the clocks are read take no time.
void texture_bandwidth(const Execution& run, MemoryModel& memory) {
  const TexelBlocks blocks{.block_width = run.number("BLOCK_WIDTH"),
                           .stride = run.number("STRIDE"),
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
