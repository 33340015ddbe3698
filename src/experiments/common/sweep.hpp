#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace percycle {

/// Sizes from `min` to `max` in geometric steps, `per_octave` of them to a doubling, each rounded down to a multiple of `multiple`,
/// ascending without repeats; `max` (rounded down) is always the last. Throws std::invalid_argument when min > max or an argument is 0.
std::vector<std::uint64_t> octave_grid(std::uint64_t min, std::uint64_t max, unsigned per_octave, std::uint64_t multiple);

/// One measured place of a curve.
struct CurvePoint {
  std::uint64_t size = 0;
  double value = 0;
  double noise = 0;  ///< median absolute deviation of the value
};

struct RefineRule {
  double step = 0.1;          ///< neighbours whose values differ by more than this share of the smaller are worth a point between
  double finest_ratio = 1.0;  ///< neighbours closer in size than this ratio are left alone
  std::uint64_t multiple = 1;
  std::size_t most = SIZE_MAX;  ///< sizes to add at the most: the largest steps go first
};

/// The sizes to add where the curve moves: the geometric middle of each pair of neighbours that the rule names, ascending. A step counts
/// less what three deviations of both its ends could make up, so that noise is not chased. `curve` is in ascending order of size. Pure:
/// the same curve gives the same sizes.
std::vector<std::uint64_t> refine(std::span<const CurvePoint> curve, const RefineRule& rule);

}  // namespace percycle
