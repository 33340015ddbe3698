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

/// The reasons or warnings of a point.
using PointReasons = std::vector<std::string>;

/// The groups, those of most points first. A point counts once in each group that has one of its
/// reasons. A number stands alone: not as in "FP32" or "64-bit".
std::vector<ReasonGroup> group_reasons(const std::vector<PointReasons>& points);

}  // namespace percycle
