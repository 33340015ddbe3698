#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/hierarchy.hpp"
#include "report/comparison.hpp"

namespace percycle {

/// Whether the footprint lies on the rise behind a cache of the path, where a small shift of the
/// edge changes the value much.
bool is_on_rise(const Hierarchy& hierarchy, const std::string& path, double footprint);

/// A side with its memory hierarchy.
struct EdgeSide {
  const Side& side;
  const Hierarchy& hierarchy;
};

/// Gives the verdict `edge` to changes beside a cache's edge that a shift of the edge explains. The
/// edge depends on the place of the buffer, so points on its rise differ between two runs of one
/// device. Two conditions must hold:
/// 1. The footprint lies between the size of a cache on the same path, by either side, less a
///    quarter, and twice that size.
/// 2. The curve of the other side has the value within a quarter of the footprint, or at the next
///    point on either side, because between two points the edge may be anywhere.
/// If the size changed, the shift may be as large as the change, which is then one finding. Pure.
void mark_edges(std::map<std::string, ChangeRow>& rows, const EdgeSide& before, const EdgeSide& after,
                const std::vector<FindingChange>& sizes);

}  // namespace percycle
