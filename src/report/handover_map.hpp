#pragma once

#include <string>
#include <vector>

#include "core/measurement.hpp"

namespace percycle {

/// A summary over the pairs of units of an experiment: the distribution of hand-over times, the
/// number of attempts, and groups of similar units, if any. Failed points are listed.
std::string handover_map(const std::string& experiment, const std::vector<const PointResult*>& results);

}  // namespace percycle
