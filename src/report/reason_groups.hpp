#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace percycle {

/// Reasons or warnings of several points that differ at most in numbers.
struct ReasonGroup {
  std::string text;  ///< with a range for each number that differs: "16 to 40 spills"
  std::size_t points = 0;
};

/// The groups, those of most points first. A number stands alone: not as in "FP32" or "64-bit".
std::vector<ReasonGroup> group_reasons(const std::vector<std::string>& reasons);

}  // namespace percycle
