#pragma once

#include <optional>

#include "sim/model.hpp"
#include "sim/placed_walk.hpp"

namespace percycle::sim {

/// Average cycles per load of a settled chase over rows (ChainLayout::columns), by set: under LRU a
/// set with at most `ways` lines per lap always hits, else always misses; only misses go to the
/// next cache. Exact for one-line nodes and whole rows visited together; empty for others.
std::optional<double> row_formula(const Model& model, const PlacedWalk& walk);

}  // namespace percycle::sim
