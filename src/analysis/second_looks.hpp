#pragma once

#include <span>
#include <vector>

#include "analysis/curve.hpp"

namespace percycle {

/// Footprints that contradict their neighbours, ascending: slower than one of the next three larger
/// ones, or faster than the next and than each of the last three. A larger footprint is never
/// faster. `curve`: one sample to a footprint, ascending in bytes.
std::vector<double> contradicted(std::span<const CurveSample> curve);

/// The curve with its second looks. A disturbance only slows down, so the faster look counts. Where
/// the first look was faster than its neighbours, the second counts. `curve` is ascending in bytes;
/// looks at other footprints are ignored.
std::vector<CurveSample> with_second_looks(std::vector<CurveSample> curve, std::span<const CurveSample> looks);

}  // namespace percycle
