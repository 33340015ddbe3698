#pragma once

#include <span>

#include "analysis/hierarchy.hpp"

namespace percycle {

/// Gives the findings of `sharing` the numbers, sizes and at most the confidence of the levels that
/// `levels` state. Doubts a finding whose level is not stated, and one that says "no" although the
/// level may be so small that a chain does not fit, or so large that both chains do.
void adopt_levels(SharingReading& sharing, std::span<const HierarchyLevel> levels);

}  // namespace percycle
