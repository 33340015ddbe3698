#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/levels.hpp"
#include "core/measurement.hpp"

namespace percycle {

/// The number of copies of a path's first-level cache in a unit.
struct PrivateCopies {
  std::string path;
  std::uint32_t per_unit = 1;  ///< if equal to the number of subgroups: that or more
  double confidence = 0;       ///< 0 to 1, see read_private_copies
  std::vector<std::string> evidence;
};

/// Reads the points of experiment `private-caches` on a path, by pairs and by counts of subgroups
/// (described in the source). Empty if there are too few points or the first level is unknown.
/// `reading`: the levels of the path; they give the miss cost of the first.
std::optional<PrivateCopies> read_private_copies(std::span<const PointResult> results, const std::string& path,
                                                 const CurveReading& reading);

}  // namespace percycle
