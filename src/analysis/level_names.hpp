#pragma once

#include <vector>

#include "analysis/seen_level.hpp"

namespace percycle {

/// Gives the same cache the same name on all paths. The path that shows the most levels numbers them.
/// Then names the near and the far part of a cache in two partitions: two successive levels behind
/// the first that are nearly one.
void name_levels(std::vector<PathLevels>& paths);

}  // namespace percycle
