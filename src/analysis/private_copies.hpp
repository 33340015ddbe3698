#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/levels.hpp"
#include "core/measurement.hpp"

namespace percycle {

/// How many copies of a path's first-level cache a unit has.
struct PrivateCopies {
  std::string path;
  std::uint32_t per_unit = 1;  ///< as many as there were subgroups: that or more
  double confidence = 0;       ///< 0 to 1, see read_private_copies
  std::vector<std::string> evidence;
};

/// Reads the points of experiment `private-caches` on a path; empty where there are not enough of them or the path has no known first level.
/// `reading`: the levels of the path, by all that is known of its memory; what a miss of the first costs decides.
///
/// Two methods. Pairs: with which other subgroups does subgroup 0 share a copy? If with every p-th, copies are dealt out in turn and there
/// are p; else there are as many as groups of that size among the subgroups. Counts: from how many subgroups on does subgroup 0 miss?
/// It should be with the first that shares its copy.
/// Confidence is the product of the first level's own, of the least certain decision (Disturbance::certainty), and of 1 where both methods
/// agree, 0.8 where one of them is lacking, 0.3 where they disagree; half of that where no two subgroups share a copy, since there
/// may be more of both.
std::optional<PrivateCopies> read_private_copies(std::span<const PointResult> results, const std::string& path,
                                                 const CurveReading& reading);

}  // namespace percycle
