#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/curve.hpp"

namespace percycle {

/// The end of a cache for code that runs from its first byte to its last, again and again. Under
/// LRU longer code overflows one set after the other, and all lines of those sets miss.
struct CodeStep {
  double bytes = 0;      ///< size of the cache
  double bytes_low = 0;  ///< sizes that fit nearly as well
  double bytes_high = 0;
  std::uint32_t ways = 0;  ///< that fit best
};

/// Time of an instruction by the length of the code: level treads, and steps between them.
struct CodeStairs {
  std::vector<double> treads;   ///< time in each cache, and beyond the last; one more than steps
  std::vector<CodeStep> steps;  ///< ascending
  double misfit = 0;            ///< mean distance of the samples from the stairs, as a share
};

/// The stairs that fit samples ascending in bytes. No step is found that lacks samples on a tread.
/// Empty if there are too few samples. Pure.
std::optional<CodeStairs> fit_code_stairs(std::span<const CurveSample> samples);

}  // namespace percycle
