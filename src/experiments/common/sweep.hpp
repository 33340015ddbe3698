#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace percycle {

/// Sizes from `min` to `max` in geometric steps, `per_octave` per doubling, ascending. Each is
/// rounded down to a multiple of `multiple`; the rounded `max` is always last. Throws
/// std::invalid_argument if min > max or an argument is 0.
std::vector<std::uint64_t> octave_grid(std::uint64_t min, std::uint64_t max, unsigned per_octave, std::uint64_t multiple);

/// Every second size, with the last.
std::vector<std::uint64_t> every_second(const std::vector<std::uint64_t>& sizes);

/// One measured point of a curve.
struct CurvePoint {
  std::uint64_t size = 0;
  double value = 0;
  double noise = 0;  ///< median absolute deviation of the value
};

struct RefineRule {
  double step = 0.1;            ///< least step between neighbours, as a share of the smaller value
  double finest_ratio = 1.0;    ///< neighbours closer in size than this ratio get no point between
  std::uint64_t multiple = 1;   ///< sizes are multiples of this
  std::size_t most = SIZE_MAX;  ///< most sizes to add: the largest steps go first
};

/// The sizes to add where the curve steps: the geometric middle of each pair of neighbours that
/// `rule` selects, ascending. Each step is reduced by three deviations of both ends, which noise
/// could explain. `curve` is ascending by size. Pure.
std::vector<std::uint64_t> refine(std::span<const CurvePoint> curve, const RefineRule& rule);

}  // namespace percycle
