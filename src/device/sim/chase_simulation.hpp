#pragma once

#include <span>
#include <vector>

#include "device/sim/model.hpp"
#include "device/sim/placed_walk.hpp"

namespace percycle::sim {

/// The settled average latency of each of some chases that go on at the same time, step by step, in cycles per load: found load by load, from
/// empty caches, over some laps until they have settled and some that count.
///
/// Long chains are walked on a smaller copy: with 1/f of the nodes through caches with 1/f of the sets, each set sees what it would see.
/// Caches that would not hold a group of nodes any more keep their size; the walk overruns them either way. Translation is then by formula.
std::vector<double> simulate_chases(const Model& model, std::span<const PlacedWalk> walks);

}  // namespace percycle::sim
