#pragma once

#include <string>
#include <vector>

#include "core/measurement.hpp"

namespace percycle {

/// A summary over the pairs of units of an experiment with a `PairChart`: the distribution of their
/// times, also of both parts of its split, and groups of similar units. Failed points are listed.
std::string pair_map(const std::string& experiment, const std::vector<const PointResult*>& results);

}  // namespace percycle
