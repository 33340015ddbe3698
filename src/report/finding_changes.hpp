#pragma once

#include <vector>

#include "analysis/hierarchy.hpp"
#include "report/comparison.hpp"

namespace percycle {

/// Values that differ by less agree: an edge depends on the place of the buffer.
inline constexpr double kFindingNoisePercent = 12;

/// The values of findings that both sides have and that their declaration compares
/// (report/hierarchy_fields.hpp), kind by kind. The rows of a kind, or of a path where further
/// words follow it, are left out if their names or numbers differ. A changed value is better or
/// worse if both findings are certain and their bounds do not overlap.
std::vector<FindingChange> finding_changes(const Hierarchy& before, const Hierarchy& after);

}  // namespace percycle
