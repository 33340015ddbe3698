#pragma once

#include <vector>

#include "report/point_row.hpp"

namespace percycle {

/// Adds a note to the largest point whose time is at most twice the shortest of its curve: up to
/// there the fixed cost of `Presentation::fixed_cost` decides. Without a larger point, or with only
/// one point up to there, the size is unknown and there is no note. `rows`: of one experiment in
/// one run.
void note_fixed_cost(const std::vector<PointRow*>& rows);

}  // namespace percycle
