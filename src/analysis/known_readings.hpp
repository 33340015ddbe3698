#pragma once

#include <vector>

#include "analysis/levels.hpp"

namespace percycle {

/// read_curve(curve), remembered for the last few curves: plans ask for the reading of the same few curves again and again.
CurveReading known_reading(const std::vector<CurveSample>& curve);

}  // namespace percycle
