#pragma once

#include <vector>

#include "analysis/levels.hpp"

namespace percycle {

/// read_curve(curve, known), with edges less than 1.35 apart in size joined into one broad edge.
/// Keeps the last few readings, because plans need the same ones again and again.
CurveReading known_reading(const std::vector<CurveSample>& curve, const std::vector<Rise>& known = {});

}  // namespace percycle
