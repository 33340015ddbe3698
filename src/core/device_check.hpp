#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/words.hpp"

namespace percycle {

/// The end of a check of a device or of its machine.
enum class CheckVerdict {
  good,
  doubtful,  ///< the text has the number, and the figures that it spoils
  missing,   ///< the text has the reason or the way to get it
};

/// The spelling used in records and on the screen, e.g. "doubtful".
std::string_view to_string(CheckVerdict verdict);

std::span<const Word<CheckVerdict>> words(CheckVerdict);

/// The name of the check that fails on a device whose kernels end with wrong results or never run.
inline constexpr std::string_view kKernelCheck = "kernels";

/// One property of a device or of its machine, checked: "units", "timer", "subgroup size".
struct DeviceCheck {
  std::string name;
  CheckVerdict verdict = CheckVerdict::good;
  std::string text;
  /// UTC, "2026-11-21T09:30:00Z": when `doctor` made it; empty for a check of the run itself.
  std::string made{};

  bool operator==(const DeviceCheck&) const = default;
};

}  // namespace percycle
