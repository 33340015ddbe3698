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
/// to be simulated. Covers dense chains with one node per line in every cache of the path. A
/// settled chase requests the same lines from each set in the same order, again and again. Each
/// line therefore always hits, or misses with the cyclic_miss_share of its set. Missing lines go to
/// the next cache. If only some lines reach a cache that cannot hold all of them, their order
/// matters, and there is no closed form.
std::optional<double> chase_formula(const Model& model, const PlacedWalk& walk, const MissShare& miss_share);

/// Cycles that translation adds to the average load of a dense chain if a share `asked` of the
/// loads is translated. The walk has P pages and visits each q times per lap (nodes of a group in
/// one page are one visit). The TLB holds C pages.
/// - P <= C: no misses.
/// - q = 1: each visit misses (LRU, cyclic).
/// - Otherwise the visits lie at random places of the lap. The TLB holds the pages visited in the
///   last share u of a lap, where P (1 - (1 - u)^q) = C. A visit hits if one of the page's q - 1
///   other visits was in that share: 1 - (1 - u)^(q - 1) = 1 - (1 - C/P)^((q - 1) / q).
double translation_cycles(const Model& model, const ChainImage& image, double loads);

/// Whether translation_cycles covers the chain: all pages are held, or each is visited once, or
/// often enough for the mean to be reliable. Not for groups that span several pages.
bool translation_has_formula(const Model& model, const ChainImage& image);

}  // namespace percycle::sim
