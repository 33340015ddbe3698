#pragma once

#include <span>
#include <vector>

#include "analysis/curve.hpp"
#include "analysis/levels.hpp"

namespace percycle {

/// A level of address translation with counted entries.
struct Translation {
  double reach = 0;    ///< bytes
  double page = 0;     ///< bytes
  double penalty = 0;  ///< of a miss, in the curve's unit
};

/// The share of the loads of a random cyclic walk over `bytes` that miss a level of translation. A
/// visit loads all nodes of a group of `together_bytes`, or the nodes of the group in one page. A
/// page's v visits are random places on the circle of a lap. A visit misses if more pages than
/// entries were visited since the last visit. For spacings of v random points on a circle the
/// probability is (1 - reach / bytes)^((v - 1) / v): 1 - reach / bytes for many visits; with one
/// visit all miss.
double translation_miss_share(const Translation& level, double bytes, double nodes, double together_bytes);

/// A curve minus the translation penalties in `known`. `first_edge`: the edge of a first cache
/// whose hits need no translation; nullptr if every load does.
std::vector<CurveSample> without_translation(std::span<const CurveSample> curve, std::span<const Translation> known,
                                             double stride_bytes, const Rise* first_edge);

}  // namespace percycle
