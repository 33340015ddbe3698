#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "device/sim/model.hpp"
#include "device/sim/placed_walk.hpp"

namespace percycle::sim {

/// What finds cyclic_miss_share: a caller's memory of it.
using MissShare = std::function<double(Replacement, std::uint64_t ways, std::uint64_t lines)>;

/// The settled average latency of a lone chase in cycles per load, in closed form; nothing where there is none and it has to be simulated.
///
/// Covers dense chains whose every node has lines of its own in every cache of the path. A settled chase asks each set of a cache for the
/// same lines again and again in one order, so that each line hits always or misses by its set's cyclic_miss_share. Lines that miss in one cache
/// ask the next; where only some reach a cache that cannot hold all, the order in which they do matters, and there is no closed form.
/// Translation: see translation_cycles.
std::optional<double> chase_formula(const Model& model, const PlacedWalk& walk, const MissShare& miss_share);

/// What translation adds to the average load of a dense chain, in cycles, when a share `asked` of the loads is translated.
///
/// Let P pages be walked, each visited q times a lap (nodes of a group that lie in one page together are one visit), and C be held. P <= C: no
/// misses. Else, with q = 1, each visit misses (LRU, cyclic). With more visits at random places of the lap the pages held are those visited in
/// the last share u of a lap, where P (1 - (1 - u)^q) = C, and a visit hits when one of the page's q - 1 others fell into that share:
/// 1 - (1 - u)^(q - 1) = 1 - (1 - C/P)^((q - 1) / q).
double translation_cycles(const Model& model, const ChainImage& image, double asked);

/// Whether translation_cycles can say it: all pages are held, or each is visited once, or by enough visits that the mean says what they do.
/// Not of groups spread over several pages.
bool translation_has_formula(const Model& model, const ChainImage& image);

}  // namespace percycle::sim
