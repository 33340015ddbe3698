#pragma once

#include <vector>

#include "analysis/seen_level.hpp"

namespace percycle {

/// Gives the same cache the same name on all paths. The numbers come from the path that shows the most levels; another path's level takes the
/// name of the level of its size, else its own path's name and the number of its place. Then names the near and the far part of a cache in two
/// partitions: two successive levels behind the first that are nearly one.
void name_levels(std::vector<PathLevels>& paths);

}  // namespace percycle
