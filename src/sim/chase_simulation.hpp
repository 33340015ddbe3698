#pragma once

#include <span>
#include <vector>

#include "sim/model.hpp"
#include "sim/placed_walk.hpp"

namespace percycle::sim {

/// The settled average latency of each of these simultaneous chases, in cycles per load, simulated
/// load by load from empty caches: laps until it has settled, then laps that count. Long chains are
/// walked on a smaller copy, see docs/internals.md.
std::vector<double> simulate_chases(const Model& model, std::span<const PlacedWalk> walks);

}  // namespace percycle::sim
