#pragma once

#include <span>

#include "analysis/path_curve.hpp"
#include "analysis/translation.hpp"

namespace percycle {

/// Whether an edge of the walk that visits neighbours together is none of a cache, because the walk
/// in random order hardly rises there. A miss of a cache costs both walks the same. Larger groups
/// of neighbours open more rows of the memory at once, which only the first walk notices.
bool rises_only_together(const PathCurves& curves, const CurveLevel& level);

/// The most that translation may add to a load of neighbours visited together in walks up to
/// `until`. Each load in random order is so much slower, but only one per page of neighbours. A
/// first TLB has few entries, so the footprint where random order becomes slower bounds its page.
/// `counted`: the TLBs whose penalties are known; those of large pages do not count.
double most_translation(const PathCurves& curves, std::span<const Translation> counted, double until);

}  // namespace percycle
