#pragma once

#include <cstdint>

#include "expected/texture_bandwidth.hpp"
#include "sim/emulation.hpp"

namespace percycle::sim {

/// Loads the blocks of texels of the image in binding 0, in all work-groups, and puts the clocks
/// into binding 2. A block costs the same as a row: no model knows how a driver tiles an image. The
/// turns before the clocks are read take no time. Returns the bytes of a texel.
std::uint32_t stream_texels(const Execution& run, MemoryModel& memory, const TexelBlocks& blocks);

}  // namespace percycle::sim
