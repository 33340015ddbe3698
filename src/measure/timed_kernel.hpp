#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/codegen.hpp"
#include "device/device.hpp"
#include "experiments/trial.hpp"

namespace percycle {

/// The kernel that a point times.
struct TimedKernel {
  std::shared_ptr<Kernel> kernel;
  std::optional<std::vector<TurnAccess>> turn;  ///< LoopedDispatch::turn
  bool has_loop = true;                         ///< whether the turn is one of a loop; else all of the kernel
};

/// What the machine code of a timed kernel holds, and warnings where that is not what its source says.
struct KernelCodegen {
  Codegen codegen;
  std::vector<std::string> warnings;
};

/// Asked for the machine code of a timed kernel, after its last sample. Must not throw for what a device or a tool does.
using CodegenSource = std::function<KernelCodegen(const TimedKernel&)>;

}  // namespace percycle
