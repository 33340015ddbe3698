#pragma once

#include <span>
#include <vector>

#include "analysis/seen_level.hpp"

namespace percycle {

/// Lowers the confidence in doubtful figures of levels, with a line of evidence for each reason,
/// and removes levels that probably do not exist. docs/methods.md lists the reasons.
void doubt_levels(std::vector<PathLevels>& paths, std::span<const HierarchyTlb> tlbs);

/// A size or latency from a closer look is no more certain than on the path of that look.
void doubt_adopted_figures(std::vector<PathLevels>& paths);

/// Lowers the confidence in lines and sectors that the tests dispute or the level before hides.
void doubt_geometry(std::vector<PathLevels>& paths);

/// The walks of experiment tlb are laid out around the caches of the path. If no size of them is
/// known, a cache may look like a TLB or hide a part of it.
void doubt_tlbs(std::vector<HierarchyTlb>& tlbs, std::span<const PathLevels> paths);

}  // namespace percycle
