#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "device/device.hpp"
#include "experiments/chain.hpp"

namespace percycle {

/// How a chain lies in memory.
struct ChainLayout {
  std::uint64_t stride_bytes = 128;  ///< from node to node; a multiple of 4 (of 8 with pointers)
  bool pointers = false;             ///< links are 64-bit addresses; else 32-bit numbers, node * link_step
  std::uint32_t link_step = 1;
  std::uint32_t lanes = 1;  ///< entries of the state buffer to start at position 0
};

/// The dispatches that write the chain over all of `memory` (links, and incompressible filler between them) and the first links into
/// `state` (one 64-bit entry per lane). Each is small enough to stay far below any watchdog.
std::vector<Dispatch> build_chain(Device& device, const std::shared_ptr<Buffer>& memory, const std::shared_ptr<Buffer>& state,
                                  const Chain& chain, const ChainLayout& layout);

/// The dispatches that read every node once in chain order from one work-group, through the given binding kind: what a whole lap of the
/// chase would leave in the caches, in a fraction of its time.
std::vector<Dispatch> touch_chain(Device& device, const Binding& memory, BindingKind kind, const Chain& chain,
                                  const ChainLayout& layout);

}  // namespace percycle
