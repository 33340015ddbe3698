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

/// A size from a closer look is no more certain there than on its own path.
void doubt_adopted_sizes(std::vector<PathLevels>& paths);

/// Sets the confidence in line, sector and ways from that of the level, less the doubts about them
/// alone.
void doubt_geometry(std::vector<PathLevels>& paths);

/// The walks of experiment tlb are laid out around the caches of the path. If no size of them is
/// known, a cache may look like a TLB or hide a part of it.
void doubt_tlbs(std::vector<HierarchyTlb>& tlbs, std::span<const PathLevels> paths);

}  // namespace percycle
