#pragma once

#include <span>
#include <vector>

#include "analysis/curve.hpp"

namespace percycle {

/// Footprints that contradict their neighbours, ascending. They are slower than one of the next
/// three larger ones, or faster than the next and each of the last three. `curve`: one sample per
/// footprint, ascending in bytes.
std::vector<double> contradicted(std::span<const CurveSample> curve);

/// The curve with its second looks. The faster look counts, because disturbances only slow down. If
/// the first look was faster than its neighbours, the second counts. `curve` ascends in bytes;
/// looks at other footprints are ignored.
std::vector<CurveSample> with_second_looks(std::vector<CurveSample> curve, std::span<const CurveSample> looks);

}  // namespace percycle
