#pragma once

#include <optional>
#include <string>
#include <vector>

#include "codegen/binaries/machine_code.hpp"
#include "core/codegen.hpp"
#include "device/kernel.hpp"
#include "experiments/trial.hpp"

namespace percycle {

/// What of a kernel's code is asked about.
struct TimedCode {
  std::string kernel_name;                      ///< empty: the only one of its program
  std::optional<std::vector<TurnAccess>> turn;  ///< LoopedDispatch::turn
  bool has_loop = true;                         ///< whether the turn is one of a loop; else all of the kernel
};

/// Counts in the best form there is, says what is missing, and takes the other numbers from `info` (under the names of the drivers of NVIDIA, AMD and Intel) or, where that says
/// nothing, from what ptxas or the listing says.
Codegen summarize(const KernelCode& code, const std::optional<CodeInfo>& info, const TimedCode& timed);

/// What is wrong with a timed kernel's code, one line each: no loop left, fewer bytes accessed than the source has in a turn, registers in memory.
std::vector<std::string> codegen_warnings(const Codegen& codegen, const TimedCode& timed);

}  // namespace percycle
