#pragma once

#include <span>
#include <vector>

#include "analysis/seen_level.hpp"

namespace percycle {

/// Lowers the confidence of doubtful levels, with a line of evidence for each reason, and removes
/// those that fall below the least confidence. docs/methods.md lists the reasons.
void doubt_levels(std::vector<PathLevels>& paths, std::span<const HierarchyTlb> tlbs);

/// Lowers the confidence of levels whose size is known to no better than 10 %, by the width of the
/// interval, and of a level without a plateau behind them. The memory stays as certain.
void doubt_vague_sizes(std::vector<PathLevels>& paths);

}  // namespace percycle
