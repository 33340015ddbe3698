#pragma once

#include <memory>
#include <vector>

#include "core/chain.hpp"
#include "device/device.hpp"

namespace percycle {

/// The dispatches that write the chain to `memory` (links with incompressible filler behind each)
/// and the first links to `state` (one 64-bit entry per lane). Each stays far below any watchdog.
std::vector<Dispatch> build_chain(Device& device, const std::shared_ptr<Buffer>& memory, const std::shared_ptr<Buffer>& state,
                                  const ChainImage& image);

/// Memory of a chain as a kernel's path reads it: texels through an image, else the buffer itself.
Binding bound(Device& device, const std::shared_ptr<Buffer>& memory, BindingKind kind);

/// The dispatches in which one work-group reads every node once in chain order through this kind of
/// binding. They fill the caches like a lap of the chase, in a fraction of its time.
std::vector<Dispatch> touch_chain(Device& device, const Binding& memory, BindingKind kind, const ChainImage& image);

}  // namespace percycle
