#pragma once

#include "core/parameters.hpp"

namespace percycle {

/// How much the answers of two runs on one card differ through no change at all, in percent: 99 of
/// 100 pairs of runs agree within it. The samples of a run do not show it. By experiment and test
/// of the question; 2.2 for those that are not listed, which differ less. On a slope, where the
/// next footprints have other values, a small shift of an edge changes the answer more.
///
/// Source: four runs at `quick` through each API on one H100 (driver 580.159.04, 2026-11-28, 7 120
/// pairs of answers, results/controls/nvidia-h100-repeated-runs-20261128.csv.gz), for launches the
/// larger one of these and of 6 993 pairs on H100 and H200 from 2026-11-20 to 26.
double run_spread_percent(const Point& question, bool is_on_slope);

}  // namespace percycle
