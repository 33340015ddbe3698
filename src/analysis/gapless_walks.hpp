#pragma once

#include <cstdint>
#include <optional>

#include "analysis/path_curve.hpp"

namespace percycle {

/// A level whose lines experiment `latency` asks. The sweep has one node per stride. If lines are
/// shorter and the nodes spread over all sets, the level seems stride / line times larger. For a
/// divisor d, a walk with the stride divided by 2 d fills 0.7 of the size divided by d. It fits if
/// the gaps enlarge the level d times or less.
struct AskedLevel {
  const PathCurves& curves;
  double size = 0;  ///< apparent size
  double hit = 0;   ///< latency
  double miss = 0;  ///< latency of the next level
};

/// A level of the reading of a path's best curve or random walk.
AskedLevel asked_level(const PathCurves& curves, const CurveReading& reading, std::size_t level);

/// How many times the gaps of the sweep enlarge the level: 1, 2 or 4. Empty until walks show it
/// beyond the noise.
std::optional<std::uint64_t> walked_gaps(const AskedLevel& level);

/// The next divisor to walk; empty if the question is answered, or if a walk does not tell.
std::optional<std::uint64_t> next_divisor(const AskedLevel& level);

}  // namespace percycle
