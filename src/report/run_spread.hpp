#pragma once

#include "core/parameters.hpp"

namespace percycle {

/// How much the answers of two runs on one card differ through no change at all, in percent: 99 of
/// 100 pairs of runs agree within it. The samples of a run do not show it. By experiment and test
/// of the question, from kRunSpreads. On a slope, where the next footprints have other values, a
/// small shift of an edge changes the answer more.
double run_spread_percent(const Point& question, bool is_on_slope);

}  // namespace percycle
