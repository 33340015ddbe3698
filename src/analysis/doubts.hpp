#pragma once

#include <span>
#include <vector>

#include "analysis/seen_level.hpp"

namespace percycle {

/// Lowers the confidence of levels that something speaks against, each with a line of evidence, and removes those that nothing is left of:
///   - other paths through the same caches, walked as far, do not show it; and the levels behind such a level
///   - its size is the reach of a TLB whose pages were not counted
///   - its lines were not asked for: lines shorter than the walk's stride in hashed sets make a cache seem two or four times as large
///   - it lies beyond the reach of a TLB of small pages, and no ways were counted
///   - its latency is a mean over wide fetches
///   - its size is known to no better than 10 %: it is stated as a range
void doubt_levels(std::vector<PathLevels>& paths, std::span<const HierarchyTlb> tlbs);

}  // namespace percycle
