#pragma once

#include <span>
#include <vector>

#include "analysis/curve.hpp"

namespace percycle {

/// Footprints whose latency contradicts their neighbours, ascending. A larger footprint is never faster: a place that is slower than one of the
/// next three larger ones was disturbed in all of its samples, and so was one that is faster than the next and than each of the last three. `curve`: one sample to a
/// footprint, ascending in bytes.
std::vector<double> contradicted(std::span<const CurveSample> curve);

/// The curve with what second looks at some of its footprints say. A disturbance only slows down, so the faster look counts; where the first look
/// was faster than its neighbours, the second counts. `curve` is ascending in bytes; looks at other footprints are ignored.
std::vector<CurveSample> with_second_looks(std::vector<CurveSample> curve, std::span<const CurveSample> looks);

}  // namespace percycle
