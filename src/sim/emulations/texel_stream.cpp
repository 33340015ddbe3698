#include "sim/emulations/texel_stream.hpp"

#include <vector>

#include "sim/emulations/emulations.hpp"

namespace percycle::sim {

std::uint32_t stream_texels(const Execution& run, MemoryModel& memory, const TexelBlocks& blocks) {
  const std::uint64_t bytes = run.bindings[0]->contents().size();
  const auto width = static_cast<std::uint32_t>(bytes / blocks.texels());
  std::vector<Stream> streams;
  for (std::uint32_t group = 0; group < run.groups; ++group) {
    streams.push_back({.group = group,
                       .path = MemoryPath::texture,
                       .kind = AccessKind::read,
                       .binding = 0,
                       .base = 0,
                       .bytes = bytes,
                       .accesses = std::uint64_t{run.parameter("loops")} * blocks.loads(),
                       .lanes = run.kernel.local_size,
                       .width = width,
                       .lane_stride = width});
  }
  put_values(*run.bindings[2], memory.stream(streams));
  return width;
}

}  // namespace percycle::sim
