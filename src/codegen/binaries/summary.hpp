#pragma once

#include <optional>
#include <string>
#include <vector>

#include "codegen/binaries/machine_code.hpp"
#include "core/codegen.hpp"
#include "device/kernel.hpp"
#include "experiments/trial.hpp"

namespace percycle {

/// The expected code of a kernel.
struct TimedCode {
  std::string kernel_name;                      ///< empty: the only one of its program
  std::optional<std::vector<TurnAccess>> turn;  ///< LoopedDispatch::turn
  /// True if `turn` counts one turn of a loop, false if it counts the whole kernel.
  bool has_loop = true;
  std::optional<TurnArithmetic> arithmetic{};  ///< LoopedDispatch::arithmetic
};

/// Counts in the best form and notes what is missing. Other numbers come from `info` (under the
/// drivers' names), else from ptxas or the listing.
Codegen summarize(const KernelCode& code, const std::optional<CodeInfo>& info, const TimedCode& timed);

/// Faults of a timed kernel's code, one line each: no loop left, fewer bytes per turn than in the
/// source, registers in memory.
std::vector<std::string> codegen_warnings(const Codegen& codegen, const TimedCode& timed);

}  // namespace percycle
