#pragma once

#include <vector>

#include "report/point_row.hpp"

namespace percycle {

/// Adds the notes that rows get beside others: a clock off its neighbours' clocks, and the end of
/// the points whose fixed cost decides the time. `rows`: of one experiment in one run, in the order
/// of measurement.
void add_row_notes(const std::vector<PointRow*>& rows);

}  // namespace percycle
