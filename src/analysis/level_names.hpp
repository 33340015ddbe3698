#pragma once

#include <vector>

#include "analysis/seen_level.hpp"

namespace percycle {

/// Whether two successive levels behind the first are so close that they may be the near and the
/// far part of one cache.
bool are_nearly_one(const SeenLevel& near, const SeenLevel& far);

/// Gives the same cache the same name on all paths. The path with the most levels numbers them, or
/// the global path if its numbers would have a gap. Two successive levels behind the first that are
/// nearly one are two parts of a cache; a path that shows only the far part shows it whole.
void name_levels(std::vector<PathLevels>& paths);

}  // namespace percycle
