#pragma once

#include <vector>

#include "report/point_row.hpp"

namespace percycle {

/// Adds a note to each row with a measured clock that differs by more than 5 % from the median of
/// up to three rows before it and three after it. `rows`: of one experiment in one run, in the
/// order of measurement.
void note_clock_neighbours(const std::vector<PointRow*>& rows);

}  // namespace percycle
