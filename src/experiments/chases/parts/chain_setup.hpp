#pragma once

#include <memory>
#include <vector>

#include "core/chain.hpp"
#include "device/device.hpp"

namespace percycle {

/// The dispatches that write the chain into `memory` (links, and incompressible filler behind each) and the first links into `state` (one
/// 64-bit entry per lane). Each is small enough to stay far below any watchdog.
std::vector<Dispatch> build_chain(Device& device, const std::shared_ptr<Buffer>& memory, const std::shared_ptr<Buffer>& state,
                                  const ChainImage& image);

/// The dispatches that read every node once in chain order from one work-group, through the given binding kind: what a whole lap of the
/// chase would leave in the caches, in a fraction of its time.
std::vector<Dispatch> touch_chain(Device& device, const Binding& memory, BindingKind kind, const ChainImage& image);

}  // namespace percycle
