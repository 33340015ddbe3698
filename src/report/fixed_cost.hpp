#pragma once

#include <vector>

#include "report/point_row.hpp"

namespace percycle {

/// Notes the largest point of `Presentation::fixed_cost` of at most twice the shortest time, if a
/// larger point and a second one up to there show that this is the size. `rows`: of one experiment
/// in one run.
void note_fixed_cost(const std::vector<PointRow*>& rows);

}  // namespace percycle
