#pragma once

#include <vector>

#include "analysis/levels.hpp"

namespace percycle {

/// read_curve(curve, known) with edges less than 1.35 apart in size taken for one that is not sharp: its level begins with the first, and what lies
/// behind it after the last. Remembered for the last few curves: plans ask for the reading of the same few again and again.
CurveReading known_reading(const std::vector<CurveSample>& curve, const std::vector<Rise>& known = {});

}  // namespace percycle
