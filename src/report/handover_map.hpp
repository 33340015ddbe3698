#pragma once

#include <string>
#include <vector>

#include "core/measurement.hpp"

namespace percycle {

/// What the pairs of units of an experiment say together: the distribution of the hand-overs over the pairs, how often both sides tried, and which units
/// lie alike, or that none stand out. Points that did not end well are listed.
std::string handover_map(const std::string& experiment, const std::vector<const PointResult*>& results);

}  // namespace percycle
