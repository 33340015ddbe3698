#pragma once

#include <span>
#include <vector>

#include "sim/model.hpp"
#include "sim/placed_walk.hpp"

namespace percycle::sim {

/// The settled average latency of each of these simultaneous chases, in cycles per load, simulated
/// load by load from empty caches: laps until it has settled, then laps that count.
///
/// Long chains are walked on a smaller copy: with 1/f of the nodes and 1/f of the sets, each set
/// sees the same lines. If a cache would no longer hold a group of nodes, it keeps its size; the
/// walk exceeds it either way. translation_cycles() gives the translation.
std::vector<double> simulate_chases(const Model& model, std::span<const PlacedWalk> walks);

}  // namespace percycle::sim
