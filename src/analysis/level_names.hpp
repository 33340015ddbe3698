#pragma once

#include <vector>

#include "analysis/seen_level.hpp"

namespace percycle {

/// Gives a cache the same name on all paths. The path with the most levels numbers them. Then names
/// the near and far part of a partitioned cache: two successive, almost equal levels behind the
/// first.
void name_levels(std::vector<PathLevels>& paths);

}  // namespace percycle
