#pragma once

#include <optional>

#include "device/sim/model.hpp"
#include "device/sim/placed_walk.hpp"

namespace percycle::sim {

/// Average cycles per load of a settled chase over rows (ChainLayout::columns), counted set by set: under LRU replacement a set that is asked
/// for at most its ways' lines in a lap hits always, else misses always, and only misses ask the next cache. Exact for nodes of one line each
/// and whole rows visited together; empty for anything else.
std::optional<double> row_formula(const Model& model, const PlacedWalk& walk);

}  // namespace percycle::sim
