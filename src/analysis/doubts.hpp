#pragma once

#include <span>
#include <vector>

#include "analysis/seen_level.hpp"

namespace percycle {

/// Lowers the confidence of doubtful levels, with a line of evidence for each reason, and removes
/// those that fall below the least confidence. docs/methods.md lists the reasons.
void doubt_levels(std::vector<PathLevels>& paths, std::span<const HierarchyTlb> tlbs);

}  // namespace percycle
