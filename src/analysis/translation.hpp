#pragma once

#include <span>
#include <vector>

#include "analysis/curve.hpp"
#include "analysis/levels.hpp"

namespace percycle {

/// A level of address translation whose entries were counted.
struct Translation {
  double reach = 0;    ///< bytes
  double page = 0;     ///< bytes
  double penalty = 0;  ///< of a miss, in the curve's unit
};

/// The share of the loads of a random cyclic walk over `bytes` that miss a level of translation. A visit loads all nodes of a group, or as many
/// of them as lie in a page. A page's visits are v random places on the lap's circle; one misses when the pages visited since the last are more
/// than are held: for spacings of v random points on a circle, with probability (1 - reach / bytes)^((v - 1) / v); with many visits
/// 1 - reach / bytes, with one all.
double translation_miss_share(const Translation& level, double bytes, double nodes, double together_bytes);

/// A curve without what translation adds to it, as far as `known` says. `first_edge`: that of a first cache whose hits ask for no
/// translation; none where every load asks.
std::vector<CurveSample> without_translation(std::span<const CurveSample> curve, std::span<const Translation> known,
                                             double stride_bytes, const Rise* first_edge);

}  // namespace percycle
