#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "sim/model.hpp"
#include "sim/placed_walk.hpp"

namespace percycle::sim {

/// Computes cyclic_miss_share; callers pass one that caches.
using MissShare = std::function<double(Replacement, std::uint64_t ways, std::uint64_t lines)>;

/// The settled average latency of a lone chase in cycles per load, in closed form; empty if it has
/// to be simulated. Covers dense chains with one node per line in every cache of the path.
/// docs/internals.md derives it.
std::optional<double> chase_formula(const Model& model, const PlacedWalk& walk, const MissShare& miss_share);

/// Cycles that translation adds to the average load of a dense chain if a share `asked` of the
/// loads is translated. docs/internals.md derives it.
double translation_cycles(const Model& model, const ChainImage& image, double loads);

/// Whether translation_cycles covers the chain: all pages are held, or each is visited once, or
/// often enough for the mean to be reliable. Not for groups that span several pages.
bool translation_has_formula(const Model& model, const ChainImage& image);

}  // namespace percycle::sim
