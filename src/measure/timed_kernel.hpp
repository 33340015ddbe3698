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
  /// True if `turn` counts one turn of a loop, false if it counts the whole kernel.
  bool has_loop = true;
  std::optional<TurnArithmetic> arithmetic{};  ///< LoopedDispatch::arithmetic
  std::shared_ptr<Kernel> optimized{};         ///< LoopedDispatch::optimized
};

/// The machine code of a timed kernel, and warnings if it differs from the source.
struct KernelCodegen {
  Codegen codegen;
  std::vector<std::string> warnings;
};

/// Returns the machine code of a timed kernel, after its last sample. Must not throw for a failure
/// of a device or a tool.
using CodegenSource = std::function<KernelCodegen(const TimedKernel&)>;

}  // namespace percycle
