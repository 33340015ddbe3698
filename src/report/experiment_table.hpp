#pragma once

#include <string>
#include <vector>

#include "core/measurement.hpp"
#include "limits/limits.hpp"
#include "store/record.hpp"

namespace percycle {

/// The points of one experiment as a plain-text table under a line that names it and whatever is the same for all of them. One
/// row per point: words vary slowest, then whole numbers, the footprint and what shapes the dispatch fastest. Of a search for the best configuration only what the best
/// measured, and what did not end well. Bandwidths stand beside their limits; what is made from something that is not known is "unknown", and
/// more than the limit has a note.
std::string experiment_table(const std::string& experiment, std::vector<const PointResult*> results, const Header& header,
                             const DeviceLimits& limits);

}  // namespace percycle
